/* SPDX-License-Identifier: MIT */
/* Several steps in one pass, and several passes over a band, have the bits of single steps; and a
 * reader of bits finds a step that adds in another order. */
#include "support/mutants.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/problem.h"

/* Fewer cells than a fragment has, one more, no inside, several bands of 256 rows. */
static const struct qp_size sizes[] = {{1, 1},   {3, 2},   {4, 8},   {5, 9},  {16, 16},
                                       {31, 41}, {65, 64}, {70, 33}, {9, 600}};

static const double cycle[] = {1.3, 0.6, 0.9, 1.7, 0.5};
static const struct qp_weights weights = {cycle, 5};

/* Weights of 1 among others: passes that would mix them are single steps. */
static const double mixed_cycle[] = {1.0, 1.0, 0.7, 1.0, 0.7, 0.7, 0.7, 0.7, 0.7, 1.0, 1.0};
static const struct qp_weights mixed = {mixed_cycle, 11};

static void open_problem(const char *kind, struct qp_size size, struct qp_problem *problem)
{
    const struct qp_problem_desc desc = {
        .op = "poisson5", .kind = kind, .width = size.width, .height = size.height, .seed = 7};
    assert_ok(qp_problem_create(&desc, problem));
}

static struct qp_result walk(struct qp_context *context, const char *row,
                             struct qp_problem *problem, struct qp_walk_desc desc)
{
    struct qp_result result;
    desc.keep_solution = true;
    assert_ok(qp_walk(context, qp_variant_find(row), problem, &desc, &result));
    return result;
}

static bool same_bits(const struct qp_result *a, const struct qp_result *b)
{
    const size_t cells = (size_t)a->solution.width * (size_t)a->solution.height;
    return memcmp(a->solution.values, b->solution.values, cells * sizeof(float)) == 0;
}

/* Walks a variant and compares it with single steps, which another variant takes. */
static void assert_same(struct qp_context *context, const char *row, struct qp_problem *problem,
                        struct qp_walk_desc desc)
{
    struct qp_result single = walk(context, "poisson5/targets", problem, desc);
    struct qp_result fused = walk(context, row, problem, desc);
    assert_int_equal(single.verdict, QP_PASS);
    if (fused.verdict != QP_PASS || !same_bits(&single, &fused))
        fail_msg("%s, %d x %d, %d steps: %s", row, problem->width, problem->height, desc.iterations,
                 fused.verdict == QP_PASS ? "other bits" : fused.reason);
    qp_matrix_destroy(&single.solution);
    qp_matrix_destroy(&fused.solution);
}

static const char *const rows[] = {
    "poisson5/targets_fused4_bands", "poisson5/targets_fused3", "poisson5/targets_fused8",
    "poisson5/targets_fused2",       "poisson5/targets_fused4", "poisson5/targets_fused2_bands"};

/* Variants that a test goes through, the first `usual` or all: each has shaders of its own to be
 * compiled. */
static int rows_for(int usual)
{
    return support_takes_long() ? COUNT(rows) : usual;
}

CLEAN_TEST(fused_steps_have_the_bits_of_single_ones)
{
    static const int steps[] = {2, 8, 19};
    for (int i = 0; i < 2 * COUNT(sizes); i++) {
        struct qp_problem problem;
        const bool spike = i % 2;
        open_problem(spike ? "spike" : "field", sizes[i / 2], &problem);
        for (int k = 0; k < rows_for(spike ? 1 : 3) * COUNT(steps); k++)
            assert_same(*state, rows[k / COUNT(steps)], &problem,
                        (struct qp_walk_desc){.iterations = steps[k % COUNT(steps)]});
        qp_problem_destroy(&problem);
    }
}

/* Variants whose every pass is one step have them, too. */
CLEAN_TEST(single_steps_share_their_bits)
{
    static const char *const single[] = {"poisson5/luminance", "poisson5/rgba"};
    for (int i = 0; i < 2 * COUNT(sizes); i++) {
        struct qp_problem problem;
        open_problem(i % 2 ? "spike" : "field", sizes[i / 2], &problem);
        for (int k = 0; k < COUNT(single); k++) {
            assert_same(*state, single[k], &problem, (struct qp_walk_desc){.iterations = 8});
            assert_same(*state, single[k], &problem,
                        (struct qp_walk_desc){.iterations = 7, .weights = &mixed});
        }
        qp_problem_destroy(&problem);
    }
}

CLEAN_TEST(weights_go_with_their_steps)
{
    for (int i = 0; i < 2 * rows_for(1); i++) {
        struct qp_problem problem;
        open_problem(i % 2 ? "spike" : "field", (struct qp_size){33, 530}, &problem);
        assert_same(*state, rows[i / 2], &problem,
                    (struct qp_walk_desc){.iterations = 21, .weights = &weights});
        assert_same(*state, rows[i / 2], &problem,
                    (struct qp_walk_desc){.iterations = 17, .weights = &mixed});
        qp_problem_destroy(&problem);
    }
}

CLEAN_TEST(every_style_of_pingpong_will_do)
{
    static const enum qp_pingpong_style styles[] = {QP_COPY, QP_TWO_FBOS, QP_REATTACH};
    struct qp_problem problem;
    open_problem("field", (struct qp_size){12, 700}, &problem);
    for (int i = 0; i < COUNT(styles); i++) {
        for (int steps = 12; steps <= 16; steps += 4) /* an odd number of passes, and an even one */
            assert_same(*state, "poisson5/targets_fused4_bands", &problem,
                        (struct qp_walk_desc){.iterations = steps, .pingpong = styles[i]});
    }
    qp_problem_destroy(&problem);
}

/* Narrower than a fragment's four cells a grid has a rim alone: trials of work groups take that. */
CLEAN_TEST(groups_are_tried_on_a_rim)
{
    static const struct qp_size narrow[] = {{2, 2}, {1, 7}};
    for (int i = 0; i < COUNT(narrow); i++) {
        struct qp_problem problem;
        open_problem("field", narrow[i], &problem);
        struct qp_result result =
            walk(*state, "poisson5/compute", &problem, (struct qp_walk_desc){.iterations = 3});
        if (result.verdict != QP_SKIP) {
            assert_int_equal(result.verdict, QP_PASS);
            assert_true(result.group_x > 0);
        }
        qp_matrix_destroy(&result.solution);
        qp_problem_destroy(&problem);
    }
}

/* ---- Changes ---- */

static bool keep(void *user, int step, double residual)
{
    ((double *)user)[step / 6 - 1] = residual;
    return true;
}

/* A change is that of one step, with that step's weight, wherever passes end. */
CLEAN_TEST(changes_are_of_one_step)
{
    struct qp_problem problem;
    open_problem("field", (struct qp_size){40, 40}, &problem);
    for (int i = 0; i < 2 * rows_for(2); i++) {
        double single[4] = {0}, fused[4] = {0};
        struct qp_walk_desc desc = {.iterations = 24,
                                    .every = 6,
                                    .on_residual = keep,
                                    .user = single,
                                    .weights = i % 2 ? &weights : NULL};
        struct qp_result result = walk(*state, "poisson5/luminance", &problem, desc);
        qp_matrix_destroy(&result.solution);
        desc.user = fused;
        assert_same(*state, rows[i / 2], &problem, desc);
        for (int k = 0; k < 4; k++)
            assert_true(single[k] > 0.0 && fabs(fused[k] / single[k] - 1.0) < 1e-5);
    }
    qp_problem_destroy(&problem);
}

/* ---- Draws ---- */

static size_t count_passes(struct qp_context *context, const char *row, struct qp_problem *problem,
                           int steps)
{
    const size_t before = qp_context_counters(context).passes;
    struct qp_result result =
        walk(context, row, problem, (struct qp_walk_desc){.iterations = steps});
    qp_matrix_destroy(&result.solution);
    return qp_context_counters(context).passes - before;
}

/* A pass on the spike is one quad, four strips along the rim, and the spike; a single step needs no
 * strips where texels and sheets are full. */
CLEAN_TEST(steps_share_passes)
{
    static const struct {
        const char *row;
        size_t draws;
    } counts[] = {{"poisson5/targets", 24 * 2},
                  {"poisson5/targets_fused2", 12 * 6},
                  {"poisson5/targets_fused3", 8 * 6},
                  {"poisson5/targets_fused4", 6 * 6},
                  {"poisson5/targets_fused8", 3 * 6}};
    struct qp_problem problem;
    open_problem("spike", (struct qp_size){64, 64}, &problem);
    for (int i = 0; i < COUNT(counts) - !support_takes_long(); i++)
        assert_int_equal(count_passes(*state, counts[i].row, &problem, 24) -
                             count_passes(*state, counts[i].row, &problem, 0),
                         counts[i].draws);
    qp_problem_destroy(&problem);
}

/* ---- Mutants that only bits show ---- */

static struct qp_result expected;

static struct qp_result walk_bits(struct victim *victim)
{
    struct qp_result result = walk(victim->context, victim->variant->name, victim->problem,
                                   (struct qp_walk_desc){.iterations = 8});
    if (result.verdict == QP_PASS && !same_bits(&result, &expected)) {
        result.verdict = QP_FAIL;
        snprintf(result.reason, sizeof result.reason, "other bits");
    }
    qp_matrix_destroy(&result.solution);
    return result;
}

/* Another order of additions, and compilers let loose. */
static void reorder(struct victim *victim)
{
    static const char *const sums[][2] = {
        {"+ (below + above)", "+ below + above"},
        {"(left + right) + (below + above)", "(left + below) + (right + above)"},
        {"(vec4(before, at.xyz) + vec4(at.yzw, after)) + (below + above)",
         "(vec4(before, at.xyz) + below) + (vec4(at.yzw, after) + above)"},
        {"(vec4(before, at.rgb) + vec4(at.gba, after)) + (below + above)",
         "(vec4(before, at.rgb) + below) + (vec4(at.gba, after) + above)"}};
    mutants_read(victim->name, victim->text);
    assert_int_equal(walk_bits(victim).verdict, QP_PASS);
    mutants_tally = (struct mutants_tally){0};
    for (int i = 0; i < COUNT(sums); i++)
        mutants_replace(victim, sums[i][0], sums[i][1]);
    if (qp_context_device(victim->context)->software && strcmp(victim->name, "poisson5/rgba.frag"))
        /* NVIDIA's compiler, and of rgba Mesa's, may leave the order as it is */
        mutants_replace(victim, "uniform sampler2DRect rhs;",
                        "uniform sampler2DRect rhs;\n#define precise\n");
    assert_true(mutants_tally.made >= 2);
    assert_int_equal(mutants_tally.survived, 0);
}

/* Single steps are the CPU's, which no mutant reaches. */
CLEAN_TEST(bits_tell_the_order_of_additions)
{
    static const char *const victims[][2] = {{"poisson5/targets_fused4", "poisson5/targets.frag"},
                                             {"poisson5/luminance", "poisson5/luminance.frag"},
                                             {"poisson5/rgba", "poisson5/rgba.frag"}};
    struct qp_problem problem;
    open_problem("field", (struct qp_size){65, 64}, &problem);
    expected =
        walk(*state, "poisson5/sequential", &problem, (struct qp_walk_desc){.iterations = 8});
    for (int i = 0; i < COUNT(victims); i++)
        reorder(&(struct victim){.context = *state,
                                 .variant = qp_variant_find(victims[i][0]),
                                 .problem = &problem,
                                 .walk = walk_bits,
                                 .name = victims[i][1]});
    qp_matrix_destroy(&expected.solution);
    qp_problem_destroy(&problem);
}

GROUP(mutants_set_up, mutants_tear_down)
