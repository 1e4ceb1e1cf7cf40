/* SPDX-License-Identifier: MIT */
/* Convention 3 for grids in parts: borders that are old, of another side, shifted, missing, late or
 * too thin, and parts that see another piece of the problem: each must fail. */
#include "support/parts.h"

#include <stdio.h>

#include "lab/baseline/baseline.h"
#include "lab/baseline/ranks.h"
#include "lab/engines/choose.h"
#include "lab/engines/parts/link.h"
#include "support/mpirun.h"
#include "support/shell.h"
#include "toolkit/base/values.h"

enum { WIDTH = 14, HEIGHT = 36, PARTS = 3 };

/* ---- Mutants of what a part gives and takes ---- */

enum harm {
    UNHARMED,
    STALE,          /* no rows are taken */
    SWAPPED,        /* rows from below are put above, and rows from above below */
    SHIFTED,        /* rows are put one row farther inside */
    SHIFTED_BESIDE, /* rows are put where they belong, one cell to the right */
    NONE_FROM_BELOW,
    NONE_FROM_ABOVE,
    WRONG_NEIGHBOUR, /* rows for the neighbour above go to the one below, and back */
    ONE_ROW_OFF,     /* rows next to those to be given are given */
    GIVEN_LATE,      /* every second time rows of the exchange before are given */
    TAKEN_ONCE,      /* rows are taken at the first exchange alone */
    TOO_THIN,        /* the row farthest away is not taken */
    EXCHANGES
};

static const char *const names[EXCHANGES] = {
    "unharmed",       "stale",           "swapped",         "shifted",
    "shifted beside", "none from below", "none from above", "wrong neighbour",
    "one row off",    "given late",      "taken once",      "too thin"};

static enum harm harm;
static const struct qp_engine_rows *sound;

/* Calls in this walk of the part whose thread this is: each walk has threads of its own, but in
 * processes. */
static _Thread_local int gets, puts_done;

static int mirrored(const struct qp_plan *plan, int y, int count)
{
    return plan->problem->height - count - y;
}

static size_t row_bytes(const struct qp_plan *plan)
{
    return (size_t)plan->problem->width * qp_value_bytes(plan->layout.precision);
}

/* Rows that go from part to part, in a border or, where that is NULL, to or from values in the
 * host's memory. */
struct rows {
    int y, count;
    char *values;
    struct qp_border *border;
};

static enum qp_status get(struct qp_plan *plan, struct rows rows)
{
    return rows.border != NULL ? sound->give(plan, rows.y, rows.count, rows.border)
                               : sound->get(plan, rows.y, rows.count, rows.values);
}

static enum qp_status put(struct qp_plan *plan, struct rows rows)
{
    if (rows.border == NULL)
        return sound->put(plan, rows.y, rows.count, rows.values);
    struct qp_border changed = *rows.border;
    changed.values = rows.values;
    return sound->take(plan, rows.y, rows.count, &changed);
}

static enum qp_status get_changed(struct qp_plan *plan, struct rows rows)
{
    const int unit = qp_layout_unit(&plan->layout);
    gets++;
    if (harm == WRONG_NEIGHBOUR)
        rows.y = mirrored(plan, rows.y, rows.count);
    else if (harm == ONE_ROW_OFF)
        rows.y += 2 * rows.y + rows.count < plan->problem->height ? unit : -unit;
    else if (harm == GIVEN_LATE && gets / 2 % 2 == 1)
        return QP_OK;
    return get(plan, rows);
}

static enum qp_status put_changed(struct qp_plan *plan, struct rows rows)
{
    const bool below = rows.y == 0;
    puts_done++;
    if (harm == STALE || (below && harm == NONE_FROM_BELOW) ||
        (!below && harm == NONE_FROM_ABOVE) || (harm == TAKEN_ONCE && puts_done > 2))
        return QP_OK;
    if (harm == SWAPPED)
        rows.y = mirrored(plan, rows.y, rows.count);
    if (harm == SHIFTED)
        rows.y += below ? 1 : -1;
    if (harm == SHIFTED_BESIDE)
        rows.values += qp_value_bytes(plan->layout.precision);
    if (harm == TOO_THIN && below) {
        rows.y++;
        rows.values += row_bytes(plan);
    }
    rows.count -= harm == TOO_THIN || harm == SHIFTED_BESIDE;
    return put(plan, rows);
}

static enum qp_status get_rows(struct qp_plan *plan, int y, int count, void *values)
{
    return get_changed(plan, (struct rows){y, count, values, NULL});
}

static enum qp_status put_rows(struct qp_plan *plan, int y, int count, const void *values)
{
    return put_changed(plan, (struct rows){y, count, (char *)values, NULL});
}

static enum qp_status give_rows(struct qp_plan *plan, int y, int count, struct qp_border *border)
{
    return get_changed(plan, (struct rows){y, count, border->values, border});
}

static enum qp_status take_rows(struct qp_plan *plan, int y, int count, struct qp_border *border)
{
    return put_changed(plan, (struct rows){y, count, border->values, border});
}

/* ---- Mutants of the cut ---- */

static void no_harm(struct qp_plan_parts *parts)
{
    (void)parts;
}

static void one_step_late(struct qp_plan_parts *parts)
{
    parts->depth++;
}

static void halo_too_thin_below(struct qp_plan_parts *parts)
{
    struct qp_plan_part *part = &parts->part[1];
    part->all.y++;
    part->all.height--;
    part->problem.window.y++;
    part->problem.height = part->problem.answer_height = part->all.height;
}

static void halo_too_thin_above(struct qp_plan_parts *parts)
{
    struct qp_plan_part *part = &parts->part[1];
    part->all.height--;
    part->problem.height = part->problem.answer_height = part->all.height;
}

static void window_off_by_one(struct qp_plan_parts *parts)
{
    parts->part[1].problem.window.y++;
}

static void window_of_its_neighbour(struct qp_plan_parts *parts)
{
    struct qp_problem *problem = &parts->part[1].problem;
    const int last = HEIGHT - problem->height; /* all its rows are some of the whole */
    const int others = parts->part[2].problem.window.y;
    problem->window.y = others < last ? others : last;
}

static const struct {
    const char *name;
    void (*harm)(struct qp_plan_parts *parts);
} cuts[] = {{"unharmed", no_harm},
            {"one step late", one_step_late},
            {"halo too thin below", halo_too_thin_below},
            {"halo too thin above", halo_too_thin_above},
            {"window off by one", window_off_by_one},
            {"the neighbour's window", window_of_its_neighbour}};

/* After stage 2: parts are cut, and have made nothing yet. */
static void strike(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    (void)seconds;
    if (stage == QP_STAGE_PACK)
        cuts[*(const int *)user].harm(qp_parts_of(plan));
}

/* ---- Walks ---- */

static struct qp_result walk(struct qp_context *context, const struct parts_copy *copy, int cut,
                             int depth)
{
    struct qp_problem problem = parts_problem("field", WIDTH, HEIGHT, 0.0);
    struct qp_result result;
    const struct qp_walk_desc desc = {.iterations = 4 * depth + 1,
                                      .parts = {.count = PARTS, .depth = depth},
                                      .on_stage = strike,
                                      .user = &cut};
    gets = puts_done = 0;
    assert_ok(qp_walk(context, &copy->variant, &problem, &desc, &result));
    assert_int_equal(result.parts.count, PARTS);
    assert_int_equal(result.parts.depth, depth + (cut == 1));
    qp_problem_destroy(&problem);
    return result;
}

static void judge(const char *row, const char *name, bool sabotaged, struct qp_result result)
{
    if (result.verdict != (sabotaged ? QP_FAIL : QP_PASS) || result.cause != QP_OK)
        fail_msg("%s, %s: %s %s", row, name, qp_verdict_name(result.verdict), result.reason);
}

static void make(const char *name, struct parts_copy *copy)
{
    const struct qp_variant *variant = qp_variant_find(name);
    parts_copy_make(variant, copy);
    sound = qp_engine_of(parts_whole(variant))->rows;
    copy->rows.get = get_rows;
    copy->rows.put = put_rows;
    copy->rows.give = sound->give != NULL ? give_rows : NULL;
    copy->rows.take = sound->take != NULL ? take_rows : NULL;
}

/* Two steps between exchanges, so that a halo has a second row. */
static void sabotage(struct qp_context *context, const char *row)
{
    struct parts_copy copy;
    make(row, &copy);
    for (int k = UNHARMED; k < EXCHANGES; k++) {
        harm = (enum harm)k;
        judge(row, names[k], k != UNHARMED, walk(context, &copy, 0, 2));
    }
    harm = UNHARMED;
    for (int k = 0; k < COUNT(cuts); k++)
        judge(row, cuts[k].name, k > 0, walk(context, &copy, k, 2));
    parts_copy_free(&copy);
}

CLEAN_TEST(borders_of_threads_count)
{
    sabotage(NULL, "poisson5/parts_sequential");
    sabotage(NULL, "poisson5/parts_sequential_double");
}

CLEAN_TEST(borders_of_contexts_count)
{
    sabotage(support_need_context(state), "poisson5/parts_rgba");
}

CLEAN_TEST(borders_of_devices_count)
{
    static const char *const rows[] = {"poisson5/parts_cuda", "poisson5/parts_cuda_locked"};
    for (int k = 0; k < COUNT(rows); k++) {
        if (!support_is_built(qp_variant_find(rows[k]))) {
            print_message("%s\n", qp_error());
            skip();
        }
        sabotage(NULL, rows[k]);
    }
}

/* ---- Processes: this program starts itself by mpirun ---- */

SCENE(again)
{
    baseline_lend_mpi();
    baseline_set_stall(5.0);
    assert_ok(qp_link_mpi.open());
    assert_int_equal(qp_link_mpi.ranks(), PARTS);
    sabotage(NULL, "poisson5/mpi_sequential");
    print_message("one of them is right\n");
    return 0;
}

CLEAN_TEST(borders_of_processes_count)
{
    char line[1024];
    need_mpirun();
    snprintf(line, sizeof line, MPIRUN "-n %d %s/tests/ops/poisson5/test_parts_sabotage again",
             PARTS, QP_BUILD_DIR);
    expect(line, 0, "one of them is right");
}

GROUP(support_open_context, support_close_context)
