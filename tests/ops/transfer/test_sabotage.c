/* SPDX-License-Identifier: MIT */
/* Pieces of an array are dropped, cut and misplaced on their way, values written beside it,
 * additions left out: each time the answer must be wrong, and somebody notice. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "lab/ops/transfer/transfer.h"
#include "support/moves.h"
#include "support/mutants.h"

enum hurt { DROPPED, CUT, SHIFTED, TWICE_THE_FIRST, HURTS };
enum stage { SEND, COMPUTE, ASK, TAKE, STAGES };

static const char *const hurts[] = {"dropped", "cut", "shifted", "led to the first one's place"};
static const char *const stages[] = {"send", "compute", "ask", "take"};

/* The mover that is meddled with, and how: piece `victim` on its way through `stage`. */
static struct {
    const struct qp_mover *mover;
    enum stage stage;
    enum hurt hurt;
    int victim;
} saboteur;

typedef enum qp_status deed(struct qp_plan *plan, const struct qp_piece *piece);

static enum qp_status meddle(deed *honest, enum stage stage, struct qp_plan *plan,
                             const struct qp_piece *piece)
{
    struct qp_piece other = *piece;
    if (stage != saboteur.stage || piece->index != saboteur.victim)
        return honest(plan, piece);
    if (saboteur.hurt == DROPPED)
        return QP_OK;
    if (saboteur.hurt == CUT) {
        other.rows--;
        other.count -= qp_transfer_own(plan)->row;
    }
    if (saboteur.hurt == SHIFTED)
        other.first--;
    if (saboteur.hurt == TWICE_THE_FIRST) {
        other.first = 0;
        other.row = 0;
    }
    return honest(plan, &other);
}

static enum qp_status send(struct qp_plan *plan, const struct qp_piece *piece)
{
    return meddle(saboteur.mover->send, SEND, plan, piece);
}

static enum qp_status compute(struct qp_plan *plan, const struct qp_piece *piece)
{
    return meddle(saboteur.mover->compute, COMPUTE, plan, piece);
}

static enum qp_status ask(struct qp_plan *plan, const struct qp_piece *piece)
{
    return meddle(saboteur.mover->ask, ASK, plan, piece);
}

static enum qp_status take(struct qp_plan *plan, const struct qp_piece *piece)
{
    return meddle(saboteur.mover->take, TAKE, plan, piece);
}

/* Not every way has something to do in every stage: then there is nothing to spoil. */
static bool has_stage(const struct qp_plan *plan, enum stage stage)
{
    const enum qp_transfer_way way = qp_transfer_own(plan)->how->way;
    const bool cuda = plan->variant->backend == QP_CUDA, down = qp_transfer_comes_down(plan);
    const bool zero_copy = cuda && way == QP_TRANSFER_MAPPED;
    switch (stage) {
    case SEND:
        return qp_transfer_goes_up(plan) && !(zero_copy && down);
    case COMPUTE:
        return qp_transfer_kind_of(plan) == QP_TRANSFER_OVERLAP && !zero_copy;
    case ASK:
        return down;
    default:
        return down && (way == QP_TRANSFER_BUFFERS || (way == QP_TRANSFER_MAPPED && !cuda));
    }
}

/* Textures take pieces by their rows, and linear memory by their first value. */
static bool can_hurt(const struct qp_plan *plan, enum stage stage, enum hurt hurt)
{
    const bool texture = plan->variant->backend == QP_GL && !qp_transfer_own(plan)->how->array;
    const bool buffered = qp_transfer_own(plan)->how->way == QP_TRANSFER_BUFFERS ||
                          (qp_transfer_own(plan)->how->way == QP_TRANSFER_MAPPED && texture);
    if (hurt == SHIFTED && texture)
        return (stage == SEND || stage == TAKE) || (stage == ASK && !buffered);
    return true;
}

/* True if there was something to spoil. */
static bool spoil(struct qp_context *context, const struct qp_variant *variant,
                  struct qp_problem *problem, int way)
{
    const struct qp_mover meddler = {.send = send, .compute = compute, .ask = ask};
    bool right;
    saboteur.stage = (enum stage)(way % STAGES);
    saboteur.hurt = (enum hurt)(way / STAGES % HURTS);
    struct qp_plan *plan = moves_open(context, variant, problem, 3);
    bool there = has_stage(plan, saboteur.stage) && can_hurt(plan, saboteur.stage, saboteur.hurt);
    saboteur.victim = way / STAGES / HURTS ? qp_transfer_pieces(plan) - 1 : 1;
    if (there) {
        struct qp_mover mover = *qp_transfer_own(plan)->mover;
        saboteur.mover = qp_transfer_own(plan)->mover;
        mover.send = meddler.send;
        mover.compute = meddler.compute;
        mover.ask = meddler.ask;
        mover.take = mover.take != NULL ? take : NULL;
        qp_transfer_own(plan)->mover = &mover;
        enum qp_status status = moves_run(plan, &right);
        qp_transfer_own(plan)->mover = saboteur.mover;
        if (status == QP_OK && right)
            fail_msg("%s, %s: piece %d of %s was %s, and nobody noticed", variant->name,
                     problem->kind, saboteur.victim, stages[saboteur.stage], hurts[saboteur.hurt]);
    }
    qp_plan_destroy(&plan);
    return there;
}

CLEAN_TEST(lost_pieces_are_noticed)
{
    int spoilt = 0;
    for (int kind = 0; kind < QP_TRANSFER_KINDS; kind++) {
        struct qp_problem problem = moves_problem(kind, 12, 11);
        for (size_t i = 0; i < qp_variant_count(); i++) {
            const struct qp_variant *variant = qp_variant_at(i);
            if (!moves_can(*state, variant, &problem) || !qp_recipe_takes_blocks(variant->recipe))
                continue;
            for (int way = 0; way < 2 * STAGES * HURTS; way++)
                spoilt += spoil(*state, variant, &problem, way);
        }
        qp_problem_destroy(&problem);
    }
    print_message("%d pieces spoilt\n", spoilt);
    assert_true(*state == NULL || spoilt >= 100);
    support_need_context(state);
}

/* Writes one value too many, before or after the array that comes back. */
static void writes_too_much(struct qp_plan *plan)
{
    bool right;
    for (int side = 0; side < 2 && qp_transfer_comes_down(plan); side++) {
        float *stray =
            qp_transfer_own(plan)->arrived + (side ? (long)qp_transfer_own(plan)->count : -1);
        *stray = 0.0f;
        assert_int_equal(moves_run(plan, &right), QP_DEVICE);
        support_assert_sentence("wrote outside the array that comes back");
        *stray = NAN;
    }
}

CLEAN_TEST(stray_writes_are_noticed)
{
    moves_on_all(state, 12, 10, 0, writes_too_much);
}

/* An addition too few, none, or another texel's value. */
CLEAN_TEST(kernels_are_noticed)
{
    static const char *const hurt[][2] = {
        {"1024", "1023"}, {"sum += one", "sum += 0.0"}, {"gl_FragCoord.xy", "gl_FragCoord.yx"}};
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem = moves_problem(QP_TRANSFER_OVERLAP, 12, 10);
    struct victim victim = {.context = context,
                            .variant = qp_variant_find("transfer/plain"),
                            .problem = &problem,
                            .name = "transfer/add.frag"};
    mutants_read(victim.name, victim.text);
    assert_int_equal(mutants_walk(&victim, 1).verdict, QP_PASS);
    for (int i = 0; i < COUNT(hurt); i++)
        assert_true(mutants_replace(&victim, hurt[i][0], hurt[i][1]));
    assert_int_equal(mutants_tally.survived, 0);
    qp_problem_destroy(&problem);
}

GROUP(mutants_set_up, mutants_tear_down)
