/* SPDX-License-Identifier: MIT */
/* Matrices that are made, row by row, so that any of them can be made again from its seed. */
#include <math.h>
#include <stdlib.h>

#include "lab/ops/spmv/spmv.h"
#include "lab/plan/problem.h"
#include "toolkit/base/random.h"

enum { RANDOM_ENTRIES = 8 /* entries of a row, on average */ };

/* A matrix as it grows: places that are taken and not yet. */
struct growing {
    struct qp_sparse *matrix;
    size_t room;
    uint64_t state; /* state of the random numbers */
    bool failed;
};

static void push(struct growing *g, int column)
{
    struct qp_sparse *m = g->matrix;
    if (m->count == g->room && !g->failed) {
        const size_t room = 2 * g->room;
        int *columns = realloc(m->column, room * sizeof *columns);
        if (columns != NULL)
            m->column = columns;
        float *values = realloc(m->value, room * sizeof *values);
        if (values != NULL)
            m->value = values;
        g->failed = columns == NULL || values == NULL;
        g->room = g->failed ? g->room : room;
    }
    if (g->failed)
        return;
    m->column[m->count] = column;
    m->value[m->count++] = (float)qp_random(&g->state, -1.0, 1.0);
}

/* ---- Rows of each kind ---- */

/* Neighbours of a cell of a grid of width x height x depth cells, in ascending order: those up to
 * `reach` cells away in all directions together (1: along the axes; 3: across corners, too). */
static void push_neighbours(struct growing *g, const int size[3], int row, int reach)
{
    const int at[3] = {row % size[0], row / size[0] % size[1], row / size[0] / size[1]};
    for (int k = 0; k < 27; k++) {
        const int d[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        bool inside = abs(d[0]) + abs(d[1]) + abs(d[2]) <= reach;
        for (int i = 0; i < 3; i++)
            inside = inside && at[i] + d[i] >= 0 && at[i] + d[i] < size[i];
        if (inside)
            push(g, row + d[0] + size[0] * (d[1] + size[1] * d[2]));
    }
}

static int by_column(const void *one, const void *other)
{
    const int a = *(const int *)one, b = *(const int *)other;
    return (a > b) - (a < b);
}

/* Pushes `count` random columns, fewer where some are drawn twice. */
static void push_random(struct growing *g, size_t count)
{
    struct qp_sparse *m = g->matrix;
    const size_t begin = m->count;
    for (size_t k = 0; k < count; k++)
        push(g, (int)(qp_random_bits(&g->state) % (uint64_t)m->rows));
    if (g->failed)
        return;
    qsort(m->column + begin, m->count - begin, sizeof *m->column, by_column);
    size_t kept = begin;
    for (size_t k = begin; k < m->count; k++) {
        if (k == begin || m->column[k] != m->column[k - 1])
            m->column[kept++] = m->column[k];
    }
    m->count = kept;
}

/* Entries of a row that follow a power law (Pareto's with exponent 1.5), 8 on average. */
static size_t power_law(struct growing *g)
{
    const double least = RANDOM_ENTRIES / 3.0, most = g->matrix->rows;
    return (size_t)fmin(most, least / pow(1.0 - qp_random(&g->state, 0.0, 1.0), 1.0 / 1.5));
}

/* Entries of a row of random columns. */
static size_t length_of(struct growing *g, enum qp_spmv_kind kind)
{
    switch (kind) {
    case QP_SPMV_POWER_LAW:
        return power_law(g);
    case QP_SPMV_EMPTY_ROWS:
        return qp_random_bits(&g->state) % 2 == 0 ? 0 : 2 * RANDOM_ENTRIES;
    default:
        return kind == QP_SPMV_FULL_ROW ? RANDOM_ENTRIES - 1 : RANDOM_ENTRIES;
    }
}

static void push_row(struct growing *g, enum qp_spmv_kind kind, const int size[3], int row)
{
    const int full = kind == QP_SPMV_FULL_ROW ? g->matrix->rows / 2 : 0;
    if (kind == QP_SPMV_NINE || kind == QP_SPMV_SEVEN) {
        push_neighbours(g, size, row, kind == QP_SPMV_NINE ? 2 : 1);
    } else if ((kind == QP_SPMV_FULL_ROW || kind == QP_SPMV_ARROW) && row == full) {
        for (int j = 0; j < g->matrix->rows; j++)
            push(g, j);
    } else if (kind == QP_SPMV_ARROW || kind == QP_SPMV_IDENTITY) {
        if (kind == QP_SPMV_ARROW)
            push(g, 0);
        push(g, row);
    } else {
        push_random(g, length_of(g, kind));
    }
}

/* Largest divisor of n that is no larger than its root. */
static int side_of(int n)
{
    int side = (int)sqrt((double)n);
    while (n % side != 0)
        side--;
    return side;
}

enum qp_status qp_spmv_make_kind(const struct qp_problem *problem, unsigned long long seed)
{
    struct qp_sparse *out = problem->sparse;
    const int rows = (int)qp_problem_cells(problem), kind = qp_problem_kind(problem);
    const int side = side_of(problem->height);
    const int size[3] = {problem->width, kind == QP_SPMV_SEVEN ? side : problem->height,
                         kind == QP_SPMV_SEVEN ? problem->height / side : 1};
    struct growing g = {.matrix = out, .room = (size_t)rows + 1, .state = seed};
    enum qp_status status = qp_sparse_allocate(rows, (size_t)rows, out);
    out->count = 0;
    for (int i = 0; i < rows && status == QP_OK; i++) {
        push_row(&g, (enum qp_spmv_kind)kind, size, i);
        out->first[i + 1] = out->count;
        status = g.failed ? qp_fail(QP_NO_MEMORY, "no memory for a sparse matrix") : QP_OK;
    }
    for (size_t k = 0; k < out->count && kind == QP_SPMV_IDENTITY; k++)
        out->value[k] = 1.0f;
    return status;
}
