/* SPDX-License-Identifier: MIT */
/* CUDA variants of spmv, beyond their bounds: where arrays begin and how long they are, the same
 * bits in every run, and every row of awkward matrices, by each of the variants. */
#include "support/sparse.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "lab/baseline/baseline.h"
#include "lab/ops/spmv/spmv.h"
#include "lab/plan/plan.h"
#include "lab/plan/problem.h"
#include "toolkit/cuda/device.h"

static void open_problem(const char *kind, int width, int height, struct qp_problem *problem)
{
    assert_ok(qp_problem_create(
        &(struct qp_problem_desc){
            .op = "spmv", .kind = kind, .width = width, .height = height, .seed = 5},
        problem));
}

static bool is_ours(const struct qp_variant *variant)
{
    return strcmp(variant->op, "spmv") == 0 && variant->backend == QP_CUDA;
}

/* ---- Without a device ---- */

/* Five variants. Without CUDA, a device or cuSPARSE the verdict is a skip that names what is
 * missing. */
TEST(rows_are_listed)
{
    int rows = 0;
    baseline_lend();
    const bool there = qp_cuda_look(-1) == QP_OK;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        struct qp_problem problem;
        struct qp_result result;
        if (!is_ours(variant))
            continue;
        rows++;
        open_problem("arrow", 7, 3, &problem);
        assert_ok(
            qp_walk(NULL, variant, &problem, &(struct qp_walk_desc){.iterations = 1}, &result));
        assert_int_not_equal(result.verdict, QP_FAIL);
        if (!there || variant->recipe->lent == NULL)
            assert_int_equal(result.verdict, there ? QP_PASS : QP_SKIP);
        if (result.verdict == QP_SKIP)
            assert_true(strlen(result.reason) > 10);
        qp_problem_destroy(&problem);
    }
    assert_int_equal(rows, 5);
}

/* First values begin a line of memory, and ghost cells are few beside a million entries. */
TEST(arrays_are_not_much_longer_than_fields)
{
    struct qp_problem problem;
    double values = 0.0;
    open_problem("full_row", 251, 263, &problem);
    const struct qp_plan plan = qp_plan_outline(qp_variant_find("spmv/cuda_vector"), &problem);
    for (int i = 0; i < plan.inputs; i++) {
        assert_int_equal(plan.input_layout[i].origin_x % 64, 0);
        assert_int_equal(plan.input_layout[i].origin_y, 0);
    }
    values =
        3.0 * problem.sparse->rows + problem.sparse->rows + 2.0 * (double)problem.sparse->count;
    assert_true(qp_plan_bytes(&plan) < 1.05 * 4.0 * values);
    qp_problem_destroy(&problem);
}

/* ---- On a device ---- */

static void need_device(void)
{
    if (!support_is_built(qp_variant_find("spmv/cuda_adaptive")))
        skip();
}

/* Answer of a variant, which the caller frees; NULL where another library is missing. */
static float *multiply(const struct qp_variant *variant, struct qp_problem *problem)
{
    struct qp_result result;
    struct qp_walk_desc desc = {.iterations = 2, .keep_solution = true};
    assert_ok(qp_walk(NULL, variant, problem, &desc, &result));
    if (result.verdict == QP_SKIP && variant->recipe->lent != NULL)
        return NULL;
    if (result.verdict != QP_PASS)
        fail_msg("%s, %s of %d rows: %s", variant->name, problem->kind, problem->sparse->rows,
                 result.reason);
    return result.solution.values;
}

/* Pieces of rows end in another order each time; the bits stay. */
TEST(same_bits_each_time)
{
    static const char *const kinds[] = {"full_row", "arrow", "power_law"};
    need_device();
    for (int k = 0; k < COUNT(kinds); k++) {
        struct qp_problem problem;
        open_problem(kinds[k], 509, 521, &problem);
        const struct qp_variant *variant = qp_variant_find("spmv/cuda_adaptive");
        const size_t bytes = (size_t)problem.sparse->rows * sizeof(float);
        float *first = multiply(variant, &problem);
        for (int i = 0; i < 5; i++) {
            float *again = multiply(variant, &problem);
            assert_memory_equal(again, first, bytes);
            free(again);
        }
        free(first);
        qp_problem_destroy(&problem);
    }
}

/* A matrix whose row i has the next of `lengths` as its length, in every third column. */
static void make_lengths(const int *lengths, int count, int rows, struct qp_sparse *m)
{
    size_t entries = 0;
    for (int i = 0; i < rows; i++)
        entries += (size_t)lengths[i % count];
    assert_ok(qp_sparse_allocate(rows, entries, m));
    for (int i = 0; i < rows; i++) {
        m->first[i + 1] = m->first[i] + (size_t)lengths[i % count];
        for (int k = 0; k < lengths[i % count]; k++) {
            m->column[m->first[i] + (size_t)k] = 3 * k;
            m->value[m->first[i] + (size_t)k] = 0.5f + (float)(i + k);
        }
    }
}

/* Empty rows first and last, or alone; lengths where a slice or a piece ends. */
TEST(awkward_rows_pass)
{
    static const int ends[] = {0, 31, 32, 33, 511, 512, 513, 1024, 1025, 0, 1, 0}, none[] = {0};
    static const struct {
        const int *lengths;
        int count, rows;
    } matrices[] = {{ends, COUNT(ends), 3600}, {none, 1, 1}, {none, 1, 1027}, {ends + 10, 2, 100}};
    need_device();
    for (int k = 0; k < COUNT(matrices); k++) {
        struct qp_problem problem;
        struct qp_sparse matrix;
        make_lengths(matrices[k].lengths, matrices[k].count, matrices[k].rows, &matrix);
        support_sparse_problem(&matrix, 0, 0, &problem);
        for (size_t i = 0; i < qp_variant_count(); i++) {
            if (is_ours(qp_variant_at(i)))
                free(multiply(qp_variant_at(i), &problem));
        }
        qp_problem_destroy(&problem);
    }
}
