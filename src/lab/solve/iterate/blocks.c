/* SPDX-License-Identifier: MIT */
/* Block Jacobi: the inverses of blocks of 12 x 12 on a matrix's diagonal, by the operation
 * gauss_jordan_batch, a system for each column of each inverse. */
#include <stdlib.h>

#include "lab/ops/gauss_jordan_batch/gauss_jordan_batch.h"
#include "lab/plan/problem.h"
#include "lab/solve/iterate/sparse.h"

#include <quadpass/walk.h>

/* Rows of a block, as paper 2's systems have them, and blocks of a walk. */
enum { ROWS = 12, BLOCKS = 1024, SYSTEMS = ROWS * BLOCKS };

/* Fills in the systems of blocks from one on: a column of an inverse is A x = a unit vector. Where
 * the matrix ends, rows are those of the identity. */
static void fill(const struct qp_sparse *a, int block, float *system)
{
    for (int s = 0; s < SYSTEMS; s++) {
        const int first = (block + s / ROWS) * ROWS;
        for (int i = 0; i < ROWS; i++, system += ROWS + 1) {
            const int row = first + i;
            const bool there = row < a->rows;
            for (int j = 0; j < ROWS; j++)
                system[j] = !there && i == j ? 1.0f : 0.0f;
            system[ROWS] = i == s % ROWS ? 1.0f : 0.0f;
            for (size_t k = there ? a->first[row] : 0; there && k < a->first[row + 1]; k++) {
                const int j = a->column[k] - first;
                if (j >= 0 && j < ROWS)
                    system[j] = a->value[k];
            }
        }
    }
}

/* Adds rows of inverses, the mean of each two numbers that rounding made unlike. A block without an
 * inverse is the identity. */
static void add_rows(const struct qp_matrix *x, int block, struct qp_sparse *inverse)
{
    for (int row = block * ROWS; row < inverse->rows && row < (block + BLOCKS) * ROWS; row++) {
        const int b = row / ROWS * ROWS, i = row - b;
        const float *columns = x->values + (size_t)(b - block * ROWS) * (ROWS + 1);
        bool regular = true;
        for (int j = 0; j < ROWS; j++)
            regular = regular && columns[j * (ROWS + 1) + ROWS] == 0.0f;
        for (int j = 0; j < ROWS && b + j < inverse->rows; j++) {
            inverse->column[inverse->count] = b + j;
            inverse->value[inverse->count++] =
                regular ? (columns[j * (ROWS + 1) + i] + columns[i * (ROWS + 1) + j]) / 2
                        : (float)(i == j);
        }
        inverse->first[row + 1] = inverse->count;
    }
}

enum qp_status qp_blocks_invert(const struct qp_sparse *a, struct qp_sparse *inverse)
{
    const struct qp_variant *variant = qp_variant_find("gauss_jordan_batch/openmp");
    const struct qp_walk_desc walk = {.iterations = 1, .unchecked = true, .keep_solution = true};
    struct qp_problem problem;
    enum qp_status status = qp_problem_create(
        &(struct qp_problem_desc){.op = "gauss_jordan_batch", .width = ROWS, .height = SYSTEMS},
        &problem);
    *inverse = (struct qp_sparse){0};
    if (status == QP_OK)
        status = qp_sparse_allocate(a->rows, (size_t)a->rows * ROWS, inverse);
    inverse->count = 0;
    for (int block = 0; block * ROWS < a->rows && status == QP_OK; block += BLOCKS) {
        struct qp_result result;
        fill(a, block, problem.field[QP_BATCH_AUGMENTED].values);
        status = qp_walk(NULL, variant, &problem, &walk, &result);
        if (status == QP_OK)
            add_rows(&result.solution, block, inverse);
        qp_matrix_destroy(&result.solution);
    }
    qp_problem_destroy(&problem);
    if (status != QP_OK)
        qp_sparse_destroy(inverse);
    return status;
}
