/* SPDX-License-Identifier: MIT */
/* Sparse products: kinds are what they promise, every variant multiplies every matrix, and one
 * entry that is left out is noticed. */
#include "support/sparse.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/spmv/spmv.h"
#include "lab/plan/problem.h"
#include "toolkit/base/random.h"
#include "toolkit/gl/context/context.h"

static void open_problem(const char *kind, int width, int height, struct qp_problem *problem)
{
    struct qp_problem_desc desc = {
        .op = "spmv", .kind = kind, .width = width, .height = height, .seed = 5};
    assert_ok(qp_problem_create(&desc, problem));
}

/* ---- Kinds ---- */

static int entries_of(const struct qp_sparse *m, int row)
{
    return (int)qp_sparse_length(m, row);
}

/* Columns ascend in the matrix, and values are no zeros. */
static void check_matrix(const struct qp_sparse *m)
{
    assert_int_equal(m->first[m->rows], m->count);
    for (int i = 0; i < m->rows; i++) {
        for (size_t k = m->first[i]; k < m->first[i + 1]; k++) {
            assert_true(m->column[k] >= 0 && m->column[k] < m->rows);
            assert_true(k == m->first[i] || m->column[k] > m->column[k - 1]);
            assert_true(m->value[k] != 0.0f && fabsf(m->value[k]) <= 1.0f);
        }
    }
}

CLEAN_TEST(kinds_have_the_entries_they_promise)
{
    struct qp_problem p[QP_SPMV_KINDS];
    const int width = 12, rows = 12 * 36;
    for (int k = 0; k < QP_SPMV_KINDS; k++) {
        open_problem(qp_op_spmv.kinds[k].name, width, rows / width, &p[k]);
        assert_int_equal(p[k].sparse->rows, rows);
        check_matrix(p[k].sparse);
    }
    int empty = 0, longest = 0;
    for (int i = 0; i < rows; i++) {
        const int x = i % width, y = i / width, z = y / 6, u = y % 6, /* 12 x 6 x 6 */
            across = 3 - (x == 0) - (x == width - 1), up = 3 - (y == 0) - (y == rows / width - 1),
                  beside =
                      7 - (x == 0) - (x == width - 1) - (u == 0) - (u == 5) - (z == 0) - (z == 5);
        assert_int_equal(entries_of(p[QP_SPMV_NINE].sparse, i), across * up);
        assert_int_equal(entries_of(p[QP_SPMV_SEVEN].sparse, i), beside);
        assert_in_range(entries_of(p[QP_SPMV_RANDOM].sparse, i), 5, 8);
        assert_int_equal(entries_of(p[QP_SPMV_ARROW].sparse, i), i == 0 ? rows : 2);
        assert_int_equal(entries_of(p[QP_SPMV_IDENTITY].sparse, i), 1);
        assert_int_equal(p[QP_SPMV_IDENTITY].sparse->column[i], i);
        if (i == rows / 2)
            assert_int_equal(entries_of(p[QP_SPMV_FULL_ROW].sparse, i), rows);
        else
            assert_in_range(entries_of(p[QP_SPMV_FULL_ROW].sparse, i), 4, 7);
        empty += entries_of(p[QP_SPMV_EMPTY_ROWS].sparse, i) == 0;
        const int length = entries_of(p[QP_SPMV_POWER_LAW].sparse, i);
        longest = length > longest ? length : longest;
    }
    assert_in_range(empty, rows / 2 - 60, rows / 2 + 60);
    assert_true(longest > 50);
    for (int k = 0; k < QP_SPMV_KINDS; k++)
        qp_problem_destroy(&p[k]);
}

/* ---- Variants ---- */

/* All variants that can; each passes, or skips with a reason. Returns how many passed. */
static int walk_rows(void **state, struct qp_problem *problem)
{
    int passed = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        struct qp_walk_desc desc = {.iterations = 1};
        struct qp_result result;
        if (strcmp(variant->op, "spmv") != 0 || (variant->backend == QP_GL && *state == NULL) ||
            !support_is_built(variant))
            continue;
        assert_ok(qp_walk(*state, variant, problem, &desc, &result));
        if (result.verdict != QP_PASS && result.verdict != QP_SKIP)
            fail_msg("%s, %d rows: %s", variant->name, problem->sparse->rows, result.reason);
        assert_true(result.verdict == QP_PASS || result.reason[0] != '\0');
        passed += result.verdict == QP_PASS;
    }
    return passed;
}

CLEAN_TEST(every_row_multiplies_matrices_of_files)
{
    static const char *const names[] = {"gr_30_30", "impcol_a", "west0067"};
    for (int i = 0; i < COUNT(names); i++) {
        char path[512];
        struct qp_market market;
        struct qp_sparse matrix;
        struct qp_problem problem;
        snprintf(path, sizeof path, QP_SOURCE_DIR "/data/%s.mtx", names[i]);
        assert_ok(qp_market_read(path, &market));
        support_sparse_from_market(&market, NULL, &matrix);
        support_sparse_problem(&matrix, 0, 0, &problem);
        assert_int_equal(problem.width * problem.height, market.rows);
        assert_true(walk_rows(state, &problem) >= (*state != NULL ? 8 : 3));
        qp_problem_destroy(&problem);
        qp_market_destroy(&market);
    }
}

/* A matrix with rows of these lengths, whose entries lie in the last columns, as a problem. */
static void open_lengths(const int *lengths, int rows, int width, struct qp_problem *problem)
{
    struct qp_sparse matrix;
    size_t count = 0;
    uint64_t random = 8;
    for (int i = 0; i < rows; i++)
        count += (size_t)lengths[i];
    assert_ok(qp_sparse_allocate(rows, count, &matrix));
    for (int i = 0; i < rows; i++) {
        const size_t begin = matrix.first[i];
        matrix.first[i + 1] = begin + (size_t)lengths[i];
        for (int k = 0; k < lengths[i]; k++) {
            matrix.column[begin + (size_t)k] = rows - lengths[i] + k;
            matrix.value[begin + (size_t)k] = (float)qp_random(&random, -1.0, 1.0);
        }
    }
    support_sparse_problem(&matrix, width, rows / width, problem);
}

/* Long rows in parts that begin anywhere: lengths around 1024 and 2048, beside empty ones, in a
 * grid of 3 columns. */
CLEAN_TEST(parts_of_rows_are_added)
{
    enum { ROWS = 3 * 697 };
    int lengths[ROWS] = {0, 1023, 1024, 1025, 0, 2047, 2048, 2049, 5, 2090, 17, 16};
    struct qp_problem problem;
    for (int i = 12; i < ROWS; i++)
        lengths[i] = 1;
    open_lengths(lengths, ROWS, 3, &problem);
    assert_true(walk_rows(state, &problem) >= (*state != NULL ? 7 : 3));
    qp_problem_destroy(&problem);
}

/* Lines of 4096 texels. Slices: 255 of 16 slots and one of 15, after which one of 2 would end a
 * texel too late; sorted rows: 1020 of 16 and 4 of 15 entries, and then one of 5 likewise. */
CLEAN_TEST(entries_stay_in_their_lines)
{
    enum { ROWS = 4 * 258 };
    int lengths[ROWS];
    struct qp_problem problem;
    for (int i = 0; i < ROWS; i++)
        lengths[i] = i < 1020 ? 16 : i < 1024 ? 15 : i < 1028 ? 2 : 5;
    open_lengths(lengths, ROWS, 4, &problem);
    assert_true(walk_rows(state, &problem) >= (*state != NULL ? 7 : 3));
    qp_problem_destroy(&problem);
}

/* Parts of rows that are left out or there twice. */
CLEAN_TEST(parts_cover_every_entry)
{
    for (int k = 0; k < QP_SPMV_KINDS; k++) {
        struct qp_problem problem;
        struct qp_spmv_parts parts;
        open_problem(qp_op_spmv.kinds[k].name, 60, 50, &problem);
        const struct qp_sparse *m = problem.sparse;
        assert_ok(qp_spmv_parts_make(m, &parts));
        assert_true(parts.order.classes <= 65);
        for (int p = 0; p < parts.count; p++) {
            const size_t begin = parts.first[p], end = parts.first[p + 1];
            assert_true(begin <= end && end - begin <= QP_SPMV_PART);
            assert_true(begin >= m->first[parts.row[p]] && end <= m->first[parts.row[p] + 1]);
        }
        assert_int_equal(parts.first[0], 0);
        assert_int_equal(parts.first[parts.count], m->count);
        qp_spmv_parts_destroy(&parts);
        qp_problem_destroy(&problem);
    }
}

/* A field of another size than its layout, whose memory failed, is an error, and zeros to the
 * layout's end. */
CLEAN_TEST(fields_stay_in_their_room)
{
    enum { LEAST = 4, MORE = 8 };
    struct qp_problem problem;
    float values[LEAST + MORE];
    open_problem("power_law", 60, 50, &problem);
    for (int field = QP_SPMV_FIRST; field < QP_SPMV_FIELDS; field++) {
        const struct qp_size size = qp_spmv_field_size(&problem, field);
        assert_true(size.width * size.height > LEAST + MORE);
        for (int i = 0; i < LEAST + MORE; i++)
            values[i] = 7.0f;
        assert_int_equal(qp_spmv_derive(&problem, field, QP_FLOATS, LEAST, values), QP_NO_MEMORY);
        for (int i = 0; i < LEAST + MORE; i++)
            assert_true(values[i] == (i < LEAST ? 0.0f : 7.0f));
    }
    qp_problem_destroy(&problem);
}

/* ---- Judges ---- */

/* The reference and its witness agree with a loop over all pairs. */
CLEAN_TEST(reference_and_witness_agree_with_a_loop)
{
    for (int k = 0; k < QP_SPMV_KINDS; k++) {
        struct qp_problem problem;
        double step[7 * 9], witness[7 * 9], scale = 0.0;
        open_problem(qp_op_spmv.kinds[k].name, 7, 9, &problem);
        const struct qp_sparse *m = problem.sparse;
        problem.reference_iterations = 1;
        qp_op_spmv.step(&problem, witness, step, &scale);
        qp_op_spmv.witness(&problem, step, witness, &scale);
        for (int i = 0; i < m->rows; i++) {
            double sum = 0.0;
            for (int j = 0; j < m->rows; j++) {
                for (size_t e = m->first[i]; e < m->first[i + 1]; e++)
                    sum += m->column[e] == j
                               ? (double)m->value[e] * problem.field[QP_SPMV_X].values[j]
                               : 0.0;
            }
            assert_true(fabs(step[i] - sum) < 1e-13 && fabs(witness[i] - sum) < 1e-13);
        }
        qp_problem_destroy(&problem);
    }
}

/* The reference is remembered, then an entry is left out of the matrix that variants are given. */
CLEAN_TEST(an_entry_left_out_fails)
{
    for (int k = 0; k < QP_SPMV_KINDS; k++) {
        struct qp_problem problem;
        struct qp_walk_desc desc = {.iterations = 1};
        struct qp_result result;
        open_problem(qp_op_spmv.kinds[k].name, 13, 11, &problem);
        for (size_t i = 0; i < qp_variant_count(); i++) {
            const struct qp_variant *variant = qp_variant_at(i);
            if (strcmp(variant->op, "spmv") != 0 || (variant->backend == QP_GL && *state == NULL) ||
                !support_is_built(variant) || strstr(variant->name, "reference") != NULL)
                continue;
            float *entry = &problem.sparse->value[problem.sparse->count * (i % 7) / 7];
            const float value = *entry;
            assert_ok(qp_walk(*state, variant, &problem, &desc, &result));
            if (result.verdict == QP_SKIP)
                continue;
            assert_int_equal(result.verdict, QP_PASS);
            *entry = 0.0f;
            assert_ok(qp_walk(*state, variant, &problem, &desc, &result));
            if (result.verdict != QP_FAIL)
                fail_msg("%s does not miss an entry of %s", variant->name, problem.kind);
            *entry = value;
        }
        qp_problem_destroy(&problem);
    }
}

/* ---- Variants that say no ---- */

CLEAN_TEST(refusals_have_a_reason)
{
    static const struct {
        const char *row, *kind;
        int width, height;
        const char *words;
    } refusals[] = {
        {"spmv/diagonals", "random", 30, 30, "the matrix has more than 64 diagonals"},
        {"spmv/diagonals_printed", "random", 30, 30,
         "if it has 1 to 28 of them; this one has more"},
        {"spmv/ell_rgba", "full_row", 100, 50, "a row has 5000 entries, and a slice may have 4096"},
        {"spmv/sliced_ell", "arrow", 100, 50, "a row has 5000 entries, and a slice may have 4096"},
    };
    for (int i = 0; i < COUNT(refusals); i++) {
        struct qp_problem problem;
        open_problem(refusals[i].kind, refusals[i].width, refusals[i].height, &problem);
        assert_int_equal(qp_variant_takes(qp_variant_find(refusals[i].row), &problem),
                         QP_UNSUPPORTED);
        support_assert_sentence(refusals[i].words);
        qp_problem_destroy(&problem);
    }
}

/* A row of 1000 entries among 160,000. */
CLEAN_TEST(ell_is_not_padded_without_end)
{
    enum { ROWS = 160000, LONG = 1000 };
    struct qp_sparse matrix;
    struct qp_problem problem;
    assert_ok(qp_sparse_allocate(ROWS, LONG, &matrix));
    for (int k = 0; k < LONG; k++)
        matrix.column[k] = k;
    for (int i = 1; i <= ROWS; i++)
        matrix.first[i] = LONG;
    support_sparse_problem(&matrix, 0, 0, &problem);
    assert_int_equal(qp_variant_takes(qp_variant_find("spmv/ell_rgba"), &problem), QP_UNSUPPORTED);
    support_assert_sentence("each of 160000 rows needs the 1000 slots of the longest");
    assert_ok(qp_variant_takes(qp_variant_find("spmv/sliced_ell"), &problem));
    qp_problem_destroy(&problem);
}

/* ---- Diagonals by several draws ---- */

/* A draw for each block of diagonals, all of which count; no draws are left out, and no others. */
CLEAN_TEST(diagonals_are_drawn_in_blocks)
{
    static const struct {
        const char *kind;
        int width, height, diagonals;
    } cases[] = {{"nine", 13, 10, 9}, {"seven", 12, 36, 7}, {"identity", 5, 3, 1}};
    const struct qp_variant *variant = qp_variant_find("spmv/diagonals");
    struct qp_context *context = support_need_context(state);
    const bool adds = (context->device.abilities & QP_CAN_FLOAT_BLEND) != 0;
    if (variant->needs & ~context->device.abilities)
        skip();
    for (int i = 0; i < COUNT(cases); i++) {
        const int *block = variant->recipe->blocks->listed;
        struct qp_problem problem;
        open_problem(cases[i].kind, cases[i].width, cases[i].height, &problem);
        for (; *block > 0; block++) {
            const int draws = (cases[i].diagonals - 1) / *block + 1;
            size_t passes[2];
            for (int steps = 1; steps <= 2 && (adds || draws == 1); steps++) {
                const struct qp_walk_desc desc = {.iterations = steps, .block = *block};
                const size_t before = qp_context_counters(context).passes;
                struct qp_result result;
                assert_ok(qp_walk(context, variant, &problem, &desc, &result));
                assert_int_equal(result.verdict, QP_PASS);
                assert_int_equal(result.block, *block);
                passes[steps - 1] = qp_context_counters(context).passes - before;
            }
            if (adds || draws == 1)
                assert_int_equal(passes[1] - passes[0], draws);
        }
        qp_problem_destroy(&problem);
    }
}

/* A device that blends no floats takes all diagonals in one draw. */
CLEAN_TEST(blending_is_needed_for_blocks)
{
    const struct qp_variant *variant = qp_variant_find("spmv/diagonals");
    struct qp_context *context = support_need_context(state);
    const unsigned abilities = context->device.abilities;
    struct qp_walk_desc desc = {.iterations = 1, .block = 2};
    struct qp_problem problem;
    struct qp_result result;
    if (variant->needs & ~abilities)
        skip();
    open_problem("nine", 13, 10, &problem);
    context->device.abilities &= ~(unsigned)QP_CAN_FLOAT_BLEND;
    assert_ok(qp_walk(context, variant, &problem, &desc, &result));
    assert_int_equal(result.verdict, QP_SKIP);
    support_assert_sentence("2 diagonals a draw are added by blending floats, which this device");
    desc.block = 16;
    assert_ok(qp_walk(context, variant, &problem, &desc, &result));
    assert_int_equal(result.verdict, QP_PASS);
    context->device.abilities = abilities;
    qp_problem_destroy(&problem);
}

GROUP(support_open_context, support_close_context)
