/* SPDX-License-Identifier: MIT */
/* Paper 2's ways to draw a matrix: in blocks, whose vertices are counted by its formula, and with
 * each row as a square. Neither changes a bit of the result. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/gl/context/context.h"
#include "toolkit/gl/shaders.h"
#include "toolkit/gl/strips.h"

enum { N = 19, WIDTH = 23 };

static const char *const blocks[] = {"gauss_jordan/blocks", "gauss_jordan/blocks_vbo"};
static const char *const noops[] = {"gauss_jordan/blocks_noop_notex",
                                    "gauss_jordan/blocks_vbo_noop_notex"};

static struct qp_problem make(int width, int height)
{
    const struct qp_problem_desc desc = {
        .op = "gauss_jordan", .width = width, .height = height, .seed = 5};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

static struct qp_result walk(void **state, const char *name, struct qp_problem *problem,
                             struct qp_walk_desc desc)
{
    struct qp_result result;
    desc.keep_solution = true;
    if (desc.iterations == 0)
        desc.iterations = 1;
    assert_non_null(qp_variant_find(name));
    assert_ok(qp_walk(support_need_context(state), qp_variant_find(name), problem, &desc, &result));
    return result;
}

/* Walks and compares with `same`, or takes the answer for it where there is none yet. */
static void walk_same(void **state, const char *name, struct qp_problem *problem,
                      struct qp_walk_desc desc, struct qp_matrix *same)
{
    struct qp_result result = walk(state, name, problem, desc);
    if (result.verdict != QP_PASS)
        fail_msg("%s: %s, %s", name, qp_verdict_name(result.verdict), result.reason);
    if (same->values == NULL) {
        *same = result.solution;
        return;
    }
    const size_t bytes = (size_t)same->width * (size_t)same->height * sizeof *same->values;
    if (memcmp(same->values, result.solution.values, bytes) != 0)
        fail_msg("%s, style %d, target %d, blocks of %d: other bits", name, desc.pingpong,
                 desc.target, desc.block);
    qp_matrix_destroy(&result.solution);
}

/* Blocks that divide the matrix and that do not, one texel and all; each style and target. */
CLEAN_TEST(nothing_changes_a_bit)
{
    static const char *const squares[] = {"gauss_jordan/quads", "gauss_jordan/quads_targets"};
    static const int sizes[][2] = {{1, 1}, {2, 1}, {10, 9}, {WIDTH, N}, {17, 16}, {2 * N, N}};
    for (int i = 0; i < COUNT(sizes); i++) {
        struct qp_problem problem = make(sizes[i][0], sizes[i][1]);
        struct qp_matrix same[3] = {0};
        for (int k = 0; k < QP_PINGPONG_STYLES * QP_TEXTURE_TARGETS; k++) {
            struct qp_walk_desc desc = {.pingpong =
                                            (enum qp_pingpong_style)(k % QP_PINGPONG_STYLES),
                                        .target = (enum qp_texture_target)(k / QP_PINGPONG_STYLES),
                                        .iterations = 1 + k % 2};
            for (int row = 0; row < 2; row++)
                walk_same(state, squares[row], &problem, desc, &same[1 + row]);
            walk_same(state, "gauss_jordan/branched", &problem, desc, &same[0]);
            for (desc.block = 1; desc.block <= sizes[i][1]; desc.block++)
                walk_same(state, blocks[desc.block % 2], &problem, desc, &same[0]);
        }
        for (int k = 0; k < 3; k++)
            qp_matrix_destroy(&same[k]);
        qp_problem_destroy(&problem);
    }
}

/* 2000 x 2000 in blocks of 4 x 4: 500 strips of about 1000 vertices (500 quads have 1002). */
CLEAN_TEST(the_papers_vertices)
{
    const struct qp_geometry whole = qp_quad(0.0f, 0.0f, 2000.0f, 2000.0f);
    const struct qp_geometry strips = qp_quad_strips(whole, 4);
    float at[2];
    assert_int_equal(qp_strips_count(&strips), 500);
    assert_int_equal(qp_strips_vertices(&strips), 1002);
    qp_strips_vertex(&strips, 499, 1001, at);
    assert_true(at[0] == 2000.0f && at[1] == 2000.0f);
    qp_strips_vertex(&strips, 3, 2, at);
    assert_true(at[0] == 12.0f && at[1] == 4.0f);
}

/* ceil((N + m) / b) strips of 2 (ceil(N / b) + 1) vertices in each of N steps; variants that
 * compute something draw two quads besides: row k and its copy. */
CLEAN_TEST(vertices_are_counted)
{
    struct qp_problem problem = make(WIDTH, N);
    for (int b = 1; b <= N; b++) {
        const int vertices = (WIDTH + b - 1) / b * 2 * ((N + b - 1) / b + 1);
        for (int k = 0; k < 2; k++) {
            struct qp_result one =
                walk(state, blocks[k], &problem, (struct qp_walk_desc){.block = b});
            struct qp_result none =
                walk(state, noops[k], &problem, (struct qp_walk_desc){.block = b});
            assert_true(one.block == b && none.block == b && none.verdict == QP_BOUND);
            assert_true(none.vertices == N * vertices);
            assert_true(one.vertices == N * (vertices + 2 * 4));
            qp_matrix_destroy(&one.solution);
            qp_matrix_destroy(&none.solution);
        }
    }
    qp_problem_destroy(&problem);
}

/* Squares: row k, its copy and all rows; with several targets nothing is copied. */
CLEAN_TEST(squares_are_quads)
{
    struct qp_problem problem = make(WIDTH, N);
    struct qp_result one = walk(state, "gauss_jordan/quads", &problem, (struct qp_walk_desc){0});
    struct qp_result four =
        walk(state, "gauss_jordan/quads_targets", &problem, (struct qp_walk_desc){0});
    assert_true(one.vertices == N * 3 * 4 && four.vertices == N * 2 * 4);
    qp_matrix_destroy(&one.solution);
    qp_matrix_destroy(&four.solution);
    qp_problem_destroy(&problem);
}

/* 64 texels, or the whole of a smaller matrix; variants without blocks have none. */
CLEAN_TEST(blocks_of_the_usual_size)
{
    static const struct {
        const char *name;
        int rows, wanted, block;
    } cases[] = {{"gauss_jordan/blocks", 65, 0, 64},
                 {"gauss_jordan/blocks_vbo", N, 0, N},
                 {"gauss_jordan/branched", N, 7, 0},
                 {"gauss_jordan/loop", N, 7, 0}};
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_problem problem = make(cases[i].rows, cases[i].rows);
        struct qp_result result =
            walk(state, cases[i].name, &problem, (struct qp_walk_desc){.block = cases[i].wanted});
        assert_true(result.verdict == QP_PASS && result.block == cases[i].block);
        qp_matrix_destroy(&result.solution);
        qp_problem_destroy(&problem);
    }
}

/* By name, and before anything is allocated. */
CLEAN_TEST(what_does_not_fit_is_skipped)
{
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem = make(100, 100);
    struct qp_result result = walk(state, blocks[0], &problem, (struct qp_walk_desc){.block = 101});
    assert_int_equal(result.verdict, QP_SKIP);
    assert_non_null(strstr(result.reason, "101 rows are higher than a matrix of 100"));
    const int limit = context->device.rectangle_limit;
    context->device.rectangle_limit =
        111; /* ten squares of 11 x 11 and a guard at each end are 112 */
    result = walk(state, "gauss_jordan/quads", &problem, (struct qp_walk_desc){0});
    struct qp_result four =
        walk(state, "gauss_jordan/quads_targets", &problem, (struct qp_walk_desc){0});
    context->device.rectangle_limit = limit;
    assert_true(result.verdict == QP_SKIP && four.verdict == QP_PASS);
    assert_non_null(strstr(result.reason, "112 x 112 texels where this device's limit is 111"));
    qp_matrix_destroy(&four.solution);
    qp_problem_destroy(&problem);
}

/* Infinities of a division by zero reach the free texels of all squares; the pivot is named all the
 * same. */
CLEAN_TEST(zero_pivots_are_named)
{
    struct qp_problem problem = make(N, N);
    qp_problem_field(&problem, "a")->values[0] = 0.0f;
    for (int k = 0; k < 2; k++) {
        struct qp_result result =
            walk(state, k ? "gauss_jordan/quads" : "gauss_jordan/quads_targets", &problem,
                 (struct qp_walk_desc){0});
        assert_int_equal(result.verdict, QP_FAIL);
        assert_non_null(strstr(result.reason, "the pivot of column 1 is 0"));
        qp_matrix_destroy(&result.solution);
    }
    qp_problem_destroy(&problem);
}

/* A record names the block and the vertices. */
CLEAN_TEST(records_tell_the_block)
{
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem = make(N, N), *const problems[] = {&problem, &problem};
    const struct qp_variant *const variants[] = {qp_variant_find(noops[1]),
                                                 qp_variant_find("gauss_jordan/loop")};
    const struct qp_style styles[] = {{.block = 4}, {.block = 4}};
    const struct qp_bench_desc desc = {.iterations = 1, .repeats = 1, .styles = styles};
    struct qp_record records[2];
    assert_ok(qp_bench(context, variants, problems, 2, &desc, records));
    assert_true(records[0].block == 4 && records[0].vertices == N * 5 * 2 * (5 + 1));
    assert_true(records[1].block == 0 && records[1].vertices == 0.0);
    qp_problem_destroy(&problem);
}

/* In place. */
static void replace_words(char *text, const char *word, const char *other)
{
    for (char *at = text; (at = strstr(at, word)) != NULL; at += strlen(other)) {
        memmove(at + strlen(other), at + strlen(word), strlen(at + strlen(word)) + 1);
        memcpy(at, other, strlen(other));
    }
}

/* Bounds without a fetch, which nobody judges, have their variants' text, but for the function that
 * replaces fetches and gives each place another value. That of poisson5 has its variant's file. */
TEST(bounds_have_the_text_of_their_rows)
{
    static const char *const names[] = {"jacobi9/rgba",         "jacobi9/luminance",
                                        "jacobi9/rgba_targets", "gauss_jordan/copy",
                                        "gauss_jordan/divide",  "gauss_jordan/branched"};
    for (int k = 0; k < COUNT(names); k++) {
        char name[64], *bound, *row;
        snprintf(name, sizeof name, "%s_notex.frag", names[k]);
        assert_ok(qp_shader_read(name, &bound));
        snprintf(name, sizeof name, "%s.frag", names[k]);
        assert_ok(qp_shader_read(name, &row));
        replace_words(row, "texture2DRect(", "fetch(");
        replace_words(row, "sampler2DRect ", "float ");
        const char *begin =
            strstr(bound, "vec4 fetch(float array, vec2 at)\n{\n    return at.x * at.y * ");
        const char *end = strstr(bound, " + array;\n}");
        assert_true(begin != NULL && end != NULL && begin < end);
        const size_t rest = strlen(end) - strlen(" + array;\n}");
        assert_true(rest > 50 && strlen(row) > rest);
        assert_string_equal(end + strlen(" + array;\n}"), row + strlen(row) - rest);
        free(bound);
        free(row);
    }
}

GROUP(support_open_context, support_close_context)
