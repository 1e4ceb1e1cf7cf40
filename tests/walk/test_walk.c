/* SPDX-License-Identifier: MIT */
/* Every variant of the table against the double reference at every awkward size, the reference
 * itself against systems small enough for a pencil, and the benchmark's records. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab/engines/engines.h"
#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/plan/half.h"

#define near(a, b)    (fabs((a) - (b)) <= 1e-12 * (b))
#define BYTES(matrix) ((size_t)(matrix).width * (size_t)(matrix).height * sizeof(float))

/* A variant under test; CPU variants get no context. */
struct row {
    struct qp_context *context;
    const struct qp_variant *variant;
    struct qp_problem *problem;
};

/* Why a variant must be skipped, NULL where it must pass. */
static const char *wanted_skip(const struct row *row)
{
    const struct qp_recipe *recipe = row->variant->recipe;
    const bool refused = row->problem->wraps && !qp_jacobi9_variant(recipe)->takes_wraps;
    /* Without CUDA, or without what it lends; which a variant in processes finds last. */
    if (!support_is_built(row->variant) && !(refused && row->variant->backend == QP_MPI))
        return qp_variant_library(row->variant) == NULL &&
                       strstr(qp_error(), "built without") == NULL
                   ? qp_error()
                   : "built without";
    if (refused)
        return "takes no entries that wrap at row ends";
    if (qp_jacobi9_variant(recipe)->needs_symmetry && !qp_jacobi9_is_symmetric(row->problem))
        return "takes symmetric matrices only";
    if (row->problem->wraps && row->problem->width < qp_jacobi9_variant(recipe)->least_width)
        return "needs a width of at least";
    if (recipe->bound && recipe->state.neighbours == 4 && row->problem->width % 4 != 0)
        return "needs a width that is a multiple of 4";
    if (recipe->bound && recipe->state.sheets == 8 && row->problem->height % 8 != 0)
        return "needs a height that is a multiple of 8";
    if (row->context && row->variant->needs & ~qp_context_device(row->context)->abilities)
        return "this device cannot do";
    return support_can_share(row->context, row->variant) ? NULL : qp_error();
}

/* Within its tolerance; a bound has none. */
static bool is_good(const struct row *row, const struct qp_result *result)
{
    if (qp_variant_is_bound(row->variant))
        return result->verdict == QP_BOUND && isnan(result->error) && isnan(result->tolerance);
    return result->verdict == QP_PASS && result->error >= 0.0 && result->error <= result->tolerance;
}

/* Walks, and fails unless the variant passes, or is skipped where and as it must be. */
static struct qp_result walk(const struct row *row, const struct qp_walk_desc *desc)
{
    struct qp_result result;
    const struct qp_problem *p = row->problem;
    const char *skip = wanted_skip(row);
    assert_ok(qp_walk(row->context, row->variant, row->problem, desc, &result));
    bool good = skip != NULL ? result.verdict == QP_SKIP && strstr(result.reason, skip) != NULL
                             : is_good(row, &result) && result.iterations == desc->iterations;
    if (!good)
        fail_msg("%s, %d x %d, wraps %d, weight %g, %d steps, style %d, target %d: %s, %s",
                 row->variant->name, p->width, p->height, p->wraps, p->weight, desc->iterations,
                 desc->pingpong, desc->target, qp_verdict_name(result.verdict), result.reason);
    return result;
}

/* Hands all variants to the test. Without OpenGL the CPU variants are judged all the same. */
static void on_problem(void **state, const struct qp_problem_desc *desc,
                       void (*test)(const struct row *))
{
    int rows[QP_BACKENDS] = {0};
    struct qp_problem one, four;
    struct qp_problem_desc systems = *desc;
    systems.systems = 4;
    assert_ok(qp_problem_create(desc, &one));
    assert_ok(qp_problem_create(&systems, &four));
    for (size_t i = 0; i < qp_variant_count(); i++) {
        struct row row = {.variant = qp_variant_at(i)};
        row.problem = qp_variant_systems(row.variant) == 1 ? &one : &four;
        row.context = qp_variant_draws(row.variant) ? *state : NULL;
        if (strcmp(row.variant->op, "jacobi9") != 0 ||
            (qp_variant_draws(row.variant) && *state == NULL))
            continue;
        test(&row);
        rows[row.variant->backend]++;
    }
    qp_problem_destroy(&one);
    qp_problem_destroy(&four);
    assert_true(rows[QP_CPU] >= 4 && (*state == NULL || rows[QP_GL] >= 8));
}

/* Without LONG=1 two numbers of steps, by turns of problems; one where walks may open contexts. */
static int turn;
static void walk_steps(const struct row *row)
{
    const bool opens = row->context != NULL && row->variant->recipe->engine == &qp_engine_parts;
    static const int steps[] = {1, 2, 20, 7};
    const bool all = support_takes_long();
    for (int k = all ? 0 : opens ? 3 : turn % 2; k < COUNT(steps); k += all ? 1 : 2)
        walk(row, &(struct qp_walk_desc){.iterations = steps[k]});
}

/* All of size, wraps, seed and weight, without LONG=1 one of two seeds, by turns; and the heart. */
CLEAN_TEST(awkward_sizes)
{
    static const int sizes[][2] = {{1, 1},   {1, 7},  {7, 1},   {2, 2},  {2, 5},    {3, 3},
                                   {13, 11}, {17, 5}, {30, 30}, {65, 9}, {2048, 3}, {64, 64}};
    for (size_t k = 0; k < 8 * COUNT(sizes); k++) {
        if (k / 2 % 2 != (k / 8 + k / 4 + k) % 2 && !support_takes_long())
            continue;
        struct qp_problem_desc desc = {.width = sizes[k / 8][0],
                                       .height = sizes[k / 8][1],
                                       .wraps = k & 4,
                                       .seed = 1 + k / 2 % 2,
                                       .weight = k & 1 ? 0.8 : 1.0};
        turn++;
        on_problem(state, &desc, walk_steps);
    }
    on_problem(state, &(struct qp_problem_desc){.kind = "bidomain", .width = 33, .height = 20},
               walk_steps);
    on_problem(state, &(struct qp_problem_desc){.kind = "symmetric", .width = 31, .height = 9},
               walk_steps);
    support_need_context(state);
}

/* Systems worked out with a pencil: fields that are not named are 0. */
struct by_hand {
    struct qp_problem_desc grid;
    int steps;
    const char *fields, *wanted;
};

#define SQUARE                                                                                     \
    "DD 2 4 5 10 LL 0 0 0 4 LD 0 0 2 -1 LU 0 0 1 0 DL 0 1 0 2 DU 1 0 -2 0 UL 0 2 0 0 UD 2 -1 0 0 " \
    "UU 3 0 0 0 b 10 5 -4 0 x 1 2 3 4"

/* Couples cells across the row ends; LL and the last DU reach off the ends of x and
 * count nothing. */
#define WRAPPING                                                                                 \
    "DD 2 2 2 2 2 2 LL 9 0 0 0 0 0 LU 0 0 0 0 0 1 DL 0 0 0 2 0 0 DU 0 0 1 0 0 7 UL 4 0 0 0 0 0 " \
    "x 1 2 3 4 5 6"

static const struct by_hand by_hand[] = {
    {{.width = 2, .height = 2, .weight = 1.0}, 1, SQUARE, "-5 0.5 0 -0.8"},
    {{.width = 2, .height = 2, .weight = 1.0}, 2, SQUARE, "5.95 2.3 0.78 2.05"},
    {{.width = 2, .height = 2, .weight = 0.5}, 1, SQUARE, "-2 1.25 1.5 1.6"},
    {{.width = 3, .height = 1, .weight = 1.0},
     1,
     "DD 4 -4 2 DU 1 3 0 DL 0 2 -1 b 6 4 3 x 1 2 3",
     "1 1.75 2.5"},
    {{.width = 3, .height = 2, .wraps = true, .weight = 1.0}, 1, WRAPPING, "-6 0 -2 -3 0 -2"},
};

static const struct by_hand *hand_now;

static void set_by_hand(struct qp_problem *problem)
{
    char name[8], *end;
    int length, cells = problem->width * problem->height;
    for (int k = 0; k < QP_JACOBI9_STORED; k++)
        memset(problem->field[k].values, 0, BYTES(problem->field[k]));
    for (const char *at = hand_now->fields; sscanf(at, "%7s%n", name, &length) == 1;) {
        at += length;
        for (int i = 0; i < cells; i++, at = end) {
            for (int s = 0; s < problem->systems; s++)
                qp_problem_field(problem, name)->values[s * cells + i] = strtof(at, &end);
        }
    }
}

/* The variant's own answer and that of the reference after it. */
static void walk_by_hand(const struct row *row)
{
    struct qp_walk_desc desc = {.iterations = hand_now->steps, .keep_solution = true};
    set_by_hand(row->problem);
    struct qp_result result = walk(row, &desc);
    double away = qp_recipe_is_half(row->variant->recipe) ? 2e-2 : 2e-6;
    char *end;
    const char *at = hand_now->wanted;
    for (int i = 0; result.verdict == QP_PASS && *at != '\0'; i++, at = end) {
        double wanted = strtod(at, &end), judge = row->problem->reference[i];
        double got = qp_matrix_value(&result.solution, (size_t)i);
        if (!(fabs(got - wanted) <= away && fabs(judge - wanted) <= 1e-12))
            fail_msg("%s: x[%d] is %.9g, the reference's %.17g, by hand %.9g", row->variant->name,
                     i, got, judge, wanted);
    }
    qp_matrix_destroy(&result.solution);
}

CLEAN_TEST(systems_by_hand)
{
    for (hand_now = by_hand; hand_now < by_hand + COUNT(by_hand); hand_now++)
        on_problem(state, &hand_now->grid, walk_by_hand);
    support_need_context(state);
}

static bool same_bits(const struct qp_matrix *a, const struct qp_matrix *b)
{
    bool same = a->width == b->width && a->height == b->height;
    for (size_t i = 0; same && i < (size_t)a->width * (size_t)a->height; i++) {
        const double one = qp_matrix_value(a, i), other = qp_matrix_value(b, i);
        same = memcmp(&one, &other, sizeof one) == 0;
    }
    return same;
}

/* Walks and compares with the answer it must give; NULL takes that answer from the first walk. */
static void walk_same(const struct row *row, struct qp_walk_desc desc, struct qp_matrix *same)
{
    desc.keep_solution = true;
    struct qp_result result = walk(row, &desc);
    if (result.verdict == QP_SKIP)
        return;
    if (same->width == 0) {
        *same = result.solution;
        return;
    }
    if (!same_bits(same, &result.solution))
        fail_msg("%s: %d steps, style %d, target %d: other bits", row->variant->name,
                 desc.iterations, desc.pingpong, desc.target);
    qp_matrix_destroy(&result.solution);
}

/* No steps give the start. The styles of ping-pong and the targets move the same numbers about; the
 * last walk is the first made again. Both an even and an odd number of swaps. */
static void walk_styles(const struct row *row)
{
    struct qp_walk_desc desc = {0};
    /* A bound has no start, and 16 bits round it. */
    if (!qp_variant_is_bound(row->variant) && !qp_recipe_is_half(row->variant->recipe))
        walk_same(row, desc, qp_problem_field(row->problem, "x"));
    for (desc.iterations = 2; desc.iterations <= 7; desc.iterations += 5) {
        struct qp_matrix same = {0};
        for (int k = 0; k <= 2 * QP_PINGPONG_STYLES; k++) {
            desc.pingpong = (enum qp_pingpong_style)(k / 2 % QP_PINGPONG_STYLES);
            desc.target = k % 2 ? QP_2D : QP_RECTANGLE;
            walk_same(row, desc, &same);
        }
        qp_matrix_destroy(&same);
    }
}

CLEAN_TEST(styles_and_targets_agree)
{
    on_problem(state, &(struct qp_problem_desc){.width = 17, .height = 11, .seed = 4}, walk_styles);
    support_need_context(state);
}

/* Floats an update: nine bands, b, x read, x written, and 1 / DD where it is a texture more; four
 * channels of three textures and x twice; eight bands and b already divided, and x twice; five
 * bands, b, and x twice. A half takes half. */
CLEAN_TEST(costs)
{
    static const char *const names[] = {"luminance",   "rgba",         "generic", "rgba_abreast",
                                        "rgba_stamps", "rgba_targets", "openmp",  "vertex_systems",
                                        "symmetric",   "rgba_half",    "bands",   "inverse"};
    static const double bytes[] = {48, 48, 56, 44, 44, 44, 44, 52, 32, 24, 48, 52};
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const char *op = qp_variant_at(i)->op;
        struct qp_cost cost = qp_variant_cost(qp_variant_at(i));
        if (strcmp(op, "jacobi9") == 0)
            assert_true(cost.bytes >= 24 && cost.flops >= 20);
        else if (strcmp(op, "reduce") == 0)
            assert_true(cost.bytes == 4 && cost.flops == 1);
        else
            assert_true(cost.bytes > 0);
    }
    for (size_t i = 0; i < COUNT(names); i++)
        assert_true(qp_variant_cost(qp_variant_find(names[i])).bytes == bytes[i]);
}

static void count_walk(void *user, int done, int all)
{
    assert_true(done == ++*(int *)user && all >= done && all <= 6);
}

/* luminance and openmp on 16 x 8 cells, 10 steps, three times. */
static void bench(struct qp_context *context, bool wraps, struct qp_record records[2])
{
    const struct qp_variant *variants[] = {qp_variant_find("luminance"), qp_variant_find("openmp")};
    struct qp_problem_desc grid = {.width = 16, .height = 8, .wraps = wraps};
    struct qp_problem problem, *const problems[] = {&problem, &problem};
    int all = 0;
    struct qp_bench_desc desc = {10, 3, .no_device = "no GL", .on_walk = count_walk, .user = &all};
    assert_ok(qp_problem_create(&grid, &problem));
    assert_ok(qp_bench(context, variants, problems, 2, &desc, records));
    qp_problem_destroy(&problem);
    assert_int_equal(all, records[0].verdict == QP_PASS ? 6 : 1 + 3);
}

static void assert_rates(const struct qp_record *r)
{
    assert_int_equal(r->verdict, QP_PASS);
    assert_true(r->width == 16 && r->height == 8 && r->systems == 1 && r->iterations == 10);
    assert_true(r->seconds_min > 0.0 && r->seconds_min <= r->seconds && r->upload_seconds >= 0.0);
    assert_true(near(r->glups, 1e-9 * 16 * 8 * 10 / r->seconds));
    assert_true(near(r->gbytes_per_s, r->glups * r->cost.bytes));
    assert_true(near(r->gflops, r->glups * r->cost.flops));
    assert_true(r->error <= r->tolerance && r->readback_seconds >= 0.0);
}

static void assert_no_rates(const struct qp_record *r, enum qp_verdict verdict, const char *reason)
{
    assert_true(r->verdict == verdict && strstr(r->reason, reason) != NULL);
    assert_true(isnan(r->glups) && isnan(r->gbytes_per_s) && isnan(r->gflops) && isnan(r->seconds));
}

CLEAN_TEST(records)
{
    struct qp_record record[2];
    bench(NULL, false, record);
    assert_no_rates(&record[0], QP_SKIP, "no GL");
    assert_rates(&record[1]);
    bench(support_need_context(state), false, record);
    assert_rates(&record[0]);
    bench(*state, true, record);
    assert_no_rates(&record[0], QP_SKIP, "takes no entries that wrap");
}

/* A shader that does not compile, one that computes something else. */
CLEAN_TEST(failing_rows_have_no_rates)
{
    static const char *const texts[][2] = {{"#version 120\nvoid main() { oops; }", "oops"},
                                           {"void main() { gl_FragColor = vec4(9.0); }", "cell ("}};
    char folder[] = "/tmp/quadpass-variants-XXXXXX", path[64];
    struct qp_record record[2];
    support_need_context(state);
    snprintf(path, sizeof path, "%s/jacobi9", mkdtemp(folder));
    assert_int_equal(mkdir(path, 0700), 0);
    strcat(path, "/luminance.frag");
    setenv("QUADPASS_SHADER_DIR", folder, 1);
    for (size_t i = 0; i < COUNT(texts); i++) {
        FILE *file = fopen(path, "w");
        assert_true(file != NULL && fputs(texts[i][0], file) >= 0 && fclose(file) == 0);
        bench(*state, false, record);
        assert_no_rates(&record[0], QP_FAIL, texts[i][1]);
        assert_rates(&record[1]);
    }
    unlink(path);
    unsetenv("QUADPASS_SHADER_DIR");
    *strrchr(path, '/') = '\0';
    assert_true(rmdir(path) == 0 && rmdir(folder) == 0);
}

/* Paper 1's ladder takes entries that wrap at row ends, paper 3's shaders need zeros there. */
TEST(papers_take_what_they_say)
{
    int rows = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        bool first =
            strncmp(variant->place, "paper 1", 7) == 0 && !strstr(variant->place, "beyond");
        if (first || strncmp(variant->place, "paper 3, section 5", 18) == 0) {
            assert_int_equal(qp_jacobi9_variant(variant->recipe)->takes_wraps, first);
            rows++;
        }
    }
    assert_true(rows >= 8);
}

/* A solve asks before it allocates, and then takes another variant. */
TEST(a_panel_is_of_limited_height)
{
    const struct qp_variant *const compute = qp_variant_find("gauss_jordan/blocked_compute");
    const struct qp_variant *const blocked = qp_variant_find("gauss_jordan/blocked");
    struct qp_problem sizes = {
        .op = &qp_op_gauss_jordan, .kind = "file", .width = 8193, .height = 8192, .systems = 1};
    assert_ok(qp_variant_takes(compute, &sizes));
    sizes.width = 8194;
    sizes.height = 8193;
    assert_int_equal(qp_variant_takes(compute, &sizes), QP_UNSUPPORTED);
    support_assert_sentence("at most 8192 rows in the registers of one group, and these have 8193");
    assert_ok(qp_variant_takes(blocked, &sizes));
}

GROUP(support_open_context, support_close_context)
