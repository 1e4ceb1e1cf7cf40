/* SPDX-License-Identifier: MIT */
/* Parts that give each other texels on the device: grids cut into tiles have the same bits as in
 * one piece, whatever the tiles' size, and may be larger than any texture. */
#include "support/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/engines/choose.h"
#include "lab/engines/gl.h"
#include "lab/engines/parts/parts.h"
#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/ops/poisson5/poisson5.h"
#include "toolkit/gl/pingpong.h"

/* A variant as the table has it, and the same in tiles of limited size. */
struct pair {
    struct qp_context *context;
    const struct qp_variant *whole;
    struct qp_variant tiled;
    struct qp_recipe recipe;
    struct qp_jacobi9_variant own;
};

static void make_pair(void **state, const char *name, int tile, struct pair *out)
{
    *out = (struct pair){.context = support_need_context(state), .whole = qp_variant_find(name)};
    out->recipe = *out->whole->recipe;
    out->recipe.engine = &qp_engine_parts;
    out->own = *qp_jacobi9_variant(out->whole->recipe);
    out->own.engine.parts =
        (struct qp_parts_variant){.runs = {{out->whole->recipe, out->whole->name}}, .texels = tile};
    out->recipe.own = &out->own;
    out->tiled = *out->whole;
    out->tiled.recipe = &out->recipe;
}

static int pieces(int cells, int each, int tile)
{
    const int texels = (cells + each - 1) / each;
    const int least = texels > 1 ? 2 : 1, wanted = (texels + tile - 1) / tile;
    return wanted > least ? wanted : least;
}

/* Counts the tiles: as many as asked for, none larger, which own all cells once. */
static void look_at_tiles(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    const struct qp_plan_parts *parts = qp_parts_of(plan);
    const int tile = *(const int *)user;
    int cells = 0;
    (void)seconds;
    if (stage != QP_STAGE_UPLOAD)
        return;
    assert_non_null(parts);
    const struct qp_layout *layout = &parts->part[0].plan->layout;
    const int wide = layout->neighbours, high = layout->rows * layout->sheets;
    assert_int_equal(parts->across, pieces(plan->problem->width, wide, tile));
    assert_int_equal(parts->up, pieces(plan->problem->height, high, tile));
    for (int k = 0; k < parts->count; k++) {
        const struct qp_part_area own = parts->part[k].own;
        assert_in_range(own.width, 1, tile * wide);
        assert_in_range(own.height, 1, tile * high);
        assert_true(own.x % wide == 0 && own.y % high == 0);
        cells += own.width * own.height;
    }
    assert_int_equal(cells, plan->problem->width * plan->problem->height);
}

/* Both must pass, with the same bits. */
static void walk_pair(struct pair *pair, struct qp_problem *problem, struct qp_walk_desc desc)
{
    struct qp_result whole, tiled;
    size_t bytes = (size_t)problem->width * (size_t)problem->height * sizeof(float);
    desc.keep_solution = true;
    assert_ok(qp_walk(pair->context, pair->whole, problem, &desc, &whole));
    desc.on_stage = look_at_tiles;
    desc.user = &pair->own.engine.parts.texels;
    assert_ok(qp_walk(pair->context, &pair->tiled, problem, &desc, &tiled));
    if (whole.verdict != QP_PASS || tiled.verdict != QP_PASS ||
        memcmp(whole.solution.values, tiled.solution.values, bytes) != 0)
        fail_msg("%s, %d x %d, tiles of %d, %d steps, style %d, target %d: %s%s", pair->whole->name,
                 problem->width, problem->height, pair->own.engine.parts.texels, desc.iterations,
                 desc.pingpong, desc.target, qp_verdict_name(tiled.verdict), tiled.reason);
    qp_matrix_destroy(&whole.solution);
    qp_matrix_destroy(&tiled.solution);
}

/* Variants that pack four, one and 2 x 2 cells, with bands abreast and apart; tiles of 8, 12 and 16
 * cells where a texel has four of a row. */
CLEAN_TEST(same_bits_in_tiles_of_any_size)
{
    static const char *const names[] = {"rgba_abreast", "rgba", "rgba_2x2"};
    static const int sizes[][2] = {{1, 1},   {1, 7},  {7, 1},  {5, 2},  {13, 11},
                                   {30, 30}, {65, 9}, {17, 5}, {33, 20}};
    struct pair pair;
    struct qp_problem problem;
    for (int k = 0; k < COUNT(names) * COUNT(sizes) * 3; k++) {
        const int *size = sizes[k / 3 % COUNT(sizes)];
        struct qp_problem_desc wanted = {
            .width = size[0], .height = size[1], .seed = (unsigned)k, .weight = 0.8};
        make_pair(state, names[k / 3 / COUNT(sizes)], 2 + k % 3, &pair);
        assert_ok(qp_problem_create(&wanted, &problem));
        for (const int *steps = (const int[]){1, 2, 7, 0}; *steps > 0; steps++)
            walk_pair(&pair, &problem, (struct qp_walk_desc){.iterations = *steps});
        qp_problem_destroy(&problem);
    }
}

CLEAN_TEST(same_bits_with_every_style_and_target)
{
    struct qp_problem problem;
    struct pair pair;
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.width = 29, .height = 10}, &problem));
    make_pair(state, "rgba_abreast", 3, &pair);
    for (int k = 0; k < QP_PINGPONG_STYLES * QP_TEXTURE_TARGETS; k++)
        walk_pair(&pair, &problem,
                  (struct qp_walk_desc){.iterations = 5,
                                        .pingpong = k % QP_PINGPONG_STYLES,
                                        .target = k / QP_PINGPONG_STYLES});
    make_pair(state, "compute", 3, &pair);
    if (qp_context_device(pair.context)->abilities & QP_CAN_COMPUTE)
        walk_pair(&pair, &problem,
                  (struct qp_walk_desc){.iterations = 5, .group_x = 8, .group_y = 2});
    qp_problem_destroy(&problem);
}

static bool note(void *user, int step, double residual)
{
    ((double *)user)[step - 1] = residual;
    return true;
}

/* Cells that two tiles hold must not count twice; sums in another order round otherwise. */
CLEAN_TEST(residuals_count_every_cell_once)
{
    enum { STEPS = 6 };
    double seen[2][STEPS];
    struct qp_problem problem;
    struct pair pair;
    make_pair(state, "rgba_abreast", 2, &pair);
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.width = 27, .height = 19}, &problem));
    for (int i = 0; i < 2; i++) {
        struct qp_walk_desc desc = {
            .iterations = STEPS, .every = 1, .on_residual = note, .user = seen[i]};
        struct qp_result result;
        assert_ok(
            qp_walk(pair.context, i == 0 ? pair.whole : &pair.tiled, &problem, &desc, &result));
        assert_int_equal(result.verdict, QP_PASS);
    }
    for (int step = 0; step < STEPS; step++)
        assert_true(seen[0][step] > 0.0 &&
                    fabs(seen[0][step] - seen[1][step]) < 1e-6 * seen[0][step]);
    qp_problem_destroy(&problem);
}

/* Before any step a texel of tile (from, 0) goes into column `column` of tile (to, 0)'s storage;
 * returns what stages 7 and 8 say. */
static enum qp_status stray(struct pair *pair, const struct qp_problem *problem, int from, int to,
                            int column)
{
    const struct qp_walk_desc desc = {0};
    const struct qp_block texel = {
        .from_x = 2, .from_y = 3, .to_x = column, .to_y = 3, .width = 1, .height = 1};
    struct qp_plan *plan;
    struct qp_matrix x = {0};
    assert_ok(qp_plan_create(pair->context, &pair->tiled, problem, &desc, &plan));
    assert_ok(qp_plan_pack(plan));
    assert_ok(plan->engine->upload(plan));
    qp_pingpong_copy(qp_plan_gl_pair(qp_parts_of(plan)->part[from].plan),
                     qp_plan_gl_pair(qp_parts_of(plan)->part[to].plan), &texel);
    enum qp_status status = plan->engine->read(plan, false, plan->texels);
    if (status == QP_OK)
        status = qp_plan_unpack(plan, plan->texels, &x);
    qp_matrix_destroy(&x);
    qp_plan_destroy(&plan);
    return status;
}

/* A texel written outside a tile is found, in a guard and in the padding; a cell of the halo is
 * written again by who owns it. */
CLEAN_TEST(stray_writes_are_found)
{
    struct qp_problem problem;
    struct pair pair;
    make_pair(state, "rgba_abreast", 4, &pair);
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.width = 29, .height = 4}, &problem));
    assert_int_equal(stray(&pair, &problem, 0, 1, 0), QP_DEVICE);
    support_assert_sentence("wrote outside part 2 of 4, at texel (-2, 1) of a domain of 5 x 3");
    assert_int_equal(stray(&pair, &problem, 1, 0, 8), QP_DEVICE);
    support_assert_sentence("wrote outside part 1 of 4, at texel (6, 1) of a domain of 5 x 3");
    assert_int_equal(stray(&pair, &problem, 1, 0, 1), QP_DEVICE);
    support_assert_sentence("wrote outside part 1 of 4, at texel (-1, 1) of a domain of 5 x 3");
    assert_ok(stray(&pair, &problem, 1, 0, 6));
    qp_problem_destroy(&problem);
}

/* ---- Beyond the limit ---- */

/* Bands side by side that do not fit; x that does not, across and up. */
CLEAN_TEST(grids_that_no_texture_holds)
{
    struct qp_context *context = support_need_context(state);
    int limit = qp_context_device(context)->rectangle_limit;
    const int sizes[][2] = {{4 * (limit / 9) + 5, 3}, {4 * limit + 2, 2}, {5, limit + 1}};
    static const char *const beyond[] = {"rgba_abreast", "rgba", "luminance"};
    for (int i = 0; i < COUNT(sizes); i++) {
        struct qp_problem_desc wanted = {.width = sizes[i][0], .height = sizes[i][1]};
        struct qp_walk_desc desc = {.iterations = 3};
        struct qp_problem problem;
        struct qp_result result;
        assert_ok(qp_problem_create(&wanted, &problem));
        assert_ok(qp_walk(context, qp_variant_find("rgba_tiles"), &problem, &desc, &result));
        if (result.verdict != QP_PASS)
            fail_msg("%d x %d: %s", wanted.width, wanted.height, result.reason);
        assert_ok(qp_walk(context, qp_variant_find(beyond[i]), &problem, &desc, &result));
        assert_int_equal(result.verdict, QP_SKIP);
        assert_non_null(strstr(result.reason, "each way; take jacobi9/rgba_tiles"));
        qp_problem_destroy(&problem);
    }
}

/* Advice that cannot be taken is none: entries wrap, or four systems are solved at once. */
CLEAN_TEST(no_advice_for_what_it_cannot_do)
{
    struct qp_context *context = support_need_context(state);
    int limit = qp_context_device(context)->rectangle_limit;
    for (int systems = 1; systems <= 4; systems += 3) {
        struct qp_problem_desc wanted = {
            .width = 2, .height = limit, .wraps = systems == 1, .systems = systems};
        struct qp_walk_desc desc = {.iterations = 1};
        struct qp_problem problem;
        struct qp_result result;
        assert_ok(qp_problem_create(&wanted, &problem));
        assert_ok(qp_walk(context, qp_variant_find(systems == 1 ? "bands" : "bands_systems"),
                          &problem, &desc, &result));
        assert_int_equal(result.verdict, QP_SKIP);
        assert_non_null(strstr(result.reason, "each way"));
        assert_null(strstr(result.reason, "take"));
        qp_problem_destroy(&problem);
    }
}

/* Five bands on three columns, with more rows than any other variant of the table takes. */
static struct qp_market tall_laplace(int height)
{
    static const int offsets[] = {-3, -1, 0, 1, 3};
    int rows = 3 * height;
    struct qp_market a = {.rows = rows, .columns = rows};
    a.row = calloc(5 * (size_t)rows, sizeof *a.row);
    a.column = calloc(5 * (size_t)rows, sizeof *a.column);
    a.value = calloc(5 * (size_t)rows, sizeof *a.value);
    assert_true(a.row != NULL && a.column != NULL && a.value != NULL);
    for (int k = 0; k < 5 * rows; k++) {
        int i = k / 5, j = i + offsets[k % 5];
        bool beside = k % 5 == 1 || k % 5 == 3;
        if (j < 0 || j >= rows || (beside && i / 3 != j / 3))
            continue;
        a.row[a.count] = i;
        a.column[a.count] = j;
        a.value[a.count++] = i == j ? 5.0 : -1.0;
    }
    return a;
}

CLEAN_TEST(solve_takes_it_where_others_do_not_fit)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_solve_desc desc = {.tolerance = 1e-4};
    struct qp_market a = tall_laplace(qp_context_device(context)->rectangle_limit + 1);
    struct qp_solution solution;
    assert_ok(qp_solve(context, &a, NULL, NULL, &desc, &solution));
    assert_string_equal(solution.variant->name, "jacobi9/rgba_tiles");
    assert_int_equal(solution.ending, QP_CONVERGED);
    for (int i = 0; i < a.rows; i++)
        assert_true(fabs(solution.x[i] - 1.0) < 1e-3);
    qp_solution_destroy(&solution);
    qp_market_destroy(&a);
}

/* ---- Threads ---- */

/* A context keeps its parts' threads, but no team that a part has had there. */
CLEAN_TEST(teams_end_with_their_parts)
{
    const struct qp_problem_desc wanted = {.op = "poisson5", .width = 30, .height = 20};
    const struct qp_walk_desc desc = {.iterations = 3};
    struct qp_context *context = support_need_context(state);
    struct qp_variant variant = *qp_variant_find("poisson5/parts_sequential");
    struct qp_recipe recipe = *variant.recipe;
    struct qp_poisson5_variant own = *qp_poisson5_variant(variant.recipe);
    struct qp_problem problem;
    int before = 0;
    recipe.own = &own;
    variant.recipe = &recipe;
    assert_ok(qp_problem_create(&wanted, &problem));
    for (int teams = 0; teams < 2; teams++) {
        struct qp_result result;
        if (teams)
            own.parts.runs[0].name = "poisson5/openmp";
        assert_ok(qp_walk(context, &variant, &problem, &desc, &result));
        assert_int_equal(result.verdict, QP_PASS);
        assert_int_equal(result.parts.count, 2);
        before = teams ? before : threads_count();
    }
    assert_true(threads_count_until(before) <= before);
    qp_problem_destroy(&problem);
}

GROUP(support_open_context, support_close_context)
