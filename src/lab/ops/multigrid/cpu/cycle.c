/* SPDX-License-Identifier: MIT */
#include "lab/ops/multigrid/multigrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/sets.h"
#include "toolkit/base/status.h"
#include "toolkit/base/whole.h"

enum {
    RING = 4,                        /* rows */
    STAGES = QP_MULTIGRID_STEPS + 2, /* interpolation, steps, residual */
    RING_ROWS = STAGES * RING + 2,   /* a thread's, with one for sums and one of zeros */
    SHARE = 8192                     /* nodes: with fewer a thread costs more than it brings */
};

#define VALUE   float
#define NAME(x) x##_float
#include "lab/ops/multigrid/cpu/cells.h"
#define VALUE   double
#define NAME(x) x##_double
#include "lab/ops/multigrid/cpu/cells.h"

/* The loops of a precision. */
static const struct loops {
    void (*relax)(const void *, long, int, double, const void *const[3], const void *, void *);
    void (*begin)(const void *, long, int, double, const void *, void *);
    void (*relax_colour)(const void *, long, int, int, void *const[3], const void *);
    void (*prolong)(const struct qp_multigrid_vectors *, int, const void *const[2], const double[2],
                    const void *, void *, void *);
    void (*restrict_to)(const struct qp_multigrid_vectors *, int, const void *const[4],
                        const double[4], void *, void *);
} loops[] = {
    [QP_FLOATS] = {relax_float, begin_float, relax_colour_float, prolong_float, restrict_to_float},
    [QP_DOUBLES] = {relax_double, begin_double, relax_colour_double, prolong_double,
                    restrict_to_double},
};

/* The scaled residual of a row in double, rounded. */
QP_EACH_VECTOR_SET
static void round_row(const double *residual, double scale, int n, float *restrict to)
{
#pragma omp simd
    for (int i = 0; i < n; i++)
        to[i] = (float)(scale * residual[i]);
}

/* to = x + factor e. */
QP_EACH_VECTOR_SET
static void add_row(const double *x, const float *e, double factor, int n, double *restrict to)
{
#pragma omp simd
    for (int i = 0; i < n; i++)
        to[i] = x[i] + factor * (double)e[i];
}

/* Address of value i; i may be below 0. */
static void *value(const struct qp_multigrid_solver *s, const void *values, long i)
{
    return (char *)values + i * (long)qp_value_bytes(s->precision);
}

static int shares_of(const struct qp_multigrid_solver *s, const struct qp_multigrid_vectors *grid)
{
    return qp_clamp((double)grid->width * grid->height / SHARE, 1,
                    qp_least(s->threads, grid->height));
}

/* ---- Set-up ---- */

static long pitch_of(int width)
{
    return (long)qp_groups_in(width + 4, QP_MULTIGRID_LINE) * QP_MULTIGRID_LINE + QP_MULTIGRID_LINE;
}

/* A row of the matrix in lines, each followed by zeros, and the diagonal's inverse. */
static void take_row(const struct qp_multigrid_solver *s, const double *from,
                     const struct qp_multigrid_vectors *grid, void *to)
{
    const size_t width = (size_t)grid->width, pitch = (size_t)grid->pitch;
    const double *diagonal = from + QP_JACOBI9_DD * width;
    for (size_t line = 0; line <= QP_JACOBI9_BANDS; line++) {
        for (size_t x = 0; x < width; x++)
            qp_set_value(to, s->precision, line * pitch + x,
                         line < QP_JACOBI9_BANDS ? from[line * width + x] : 1.0 / diagonal[x]);
    }
}

/* Distinct rows alone. */
static enum qp_status take_rows(const struct qp_multigrid_solver *s,
                                const struct qp_multigrid_grid *from,
                                struct qp_multigrid_vectors *to)
{
    const size_t bytes = (QP_JACOBI9_BANDS + 1) * (size_t)to->pitch * qp_value_bytes(s->precision);
    size_t distinct = 0;
    for (int y = 0; y < to->height; y++)
        distinct += y == 0 || from->row[y] != from->row[y - 1];
    to->row = qp_alloc((size_t)to->height, sizeof *to->row, "rows of a matrix");
    to->rows = qp_alloc_line(distinct, bytes, "a matrix");
    to->rows_bytes = distinct * bytes;
    if (to->row == NULL || to->rows == NULL)
        return QP_NO_MEMORY;
    char *next = to->rows;
    for (int y = 0; y < to->height; y++) {
        if (y > 0 && from->row[y] == from->row[y - 1]) {
            to->row[y] = to->row[y - 1];
            continue;
        }
        to->row[y] = next;
        next += bytes;
    }
#pragma omp parallel for schedule(static) num_threads(s->threads)
    for (int y = 0; y < to->height; y++) {
        if (y == 0 || to->row[y] != to->row[y - 1])
            take_row(s, from->row[y], to, to->row[y]);
    }
    return QP_OK;
}

static void take_weights(const struct qp_multigrid_solver *s, struct qp_multigrid_vectors *to)
{
    for (int x = 0; x < to->width; x++) {
        const struct qp_multigrid_share share = qp_multigrid_share_of(to->across, x);
        to->at[x] = share.at;
        qp_set_value(to->low, s->precision, (size_t)x, share.weight[0]);
        qp_set_value(to->high, s->precision, (size_t)x, share.weight[1]);
        for (int side = 0; side < 2; side++) {
            const int k = share.at + side, j = x - (2 * k + to->across.low - 1);
            if (share.weight[side] != 0.0)
                qp_set_value(to->weight[j], s->precision, (size_t)k, share.weight[side]);
        }
    }
}

/* Vectors and weights of a grid; the finest has no x, which is the plan's. */
static enum qp_status take_grid(const struct qp_multigrid_solver *s,
                                const struct qp_multigrid_grid *from,
                                struct qp_multigrid_vectors *to)
{
    to->width = from->width;
    to->height = from->height;
    to->across = from->across;
    to->up = from->up;
    to->radius = from->radius;
    to->pitch = pitch_of(to->width);
    const size_t cells = (size_t)to->pitch * (size_t)(to->height + 2), line = (size_t)to->pitch;
    const size_t count = to == s->grid ? 3 : 4; /* the finest x is the plan's */
    const long lines = (long)count * (to->height + 2) + 6;
    const size_t all = (size_t)lines * line * qp_value_bytes(s->precision);
    to->at = qp_alloc(line, sizeof *to->at, "a grid's weights");
    to->vectors = qp_alloc_line(1, all, "a grid's vectors");
    to->vectors_bytes = all;
    if (to->at == NULL || to->vectors == NULL)
        return QP_NO_MEMORY;
#pragma omp parallel for schedule(static) num_threads(shares_of(s, to))
    for (long k = 0; k < lines; k++)
        memset(value(s, to->vectors, k * to->pitch), 0, line * qp_value_bytes(s->precision));
    void **const vector[] = {&to->b, &to->smooth, &to->residual, &to->x};
    void **const weight[] = {&to->low,       &to->high,      &to->weight[0],
                             &to->weight[1], &to->weight[2], &to->weight[3]};
    for (size_t k = 0; k < count; k++)
        *vector[k] = value(s, to->vectors, (long)(k * cells) + to->pitch + QP_MULTIGRID_LINE);
    for (size_t k = 0; k < 6; k++)
        *weight[k] = value(s, to->vectors, (long)(count * cells + k * line));
    take_weights(s, to);
    return take_rows(s, from, to);
}

/* Finds the scale of refined schemes, too: b's power of two, so that float holds the first residual
 * and the last one, 2^53 times smaller. */
void qp_multigrid_solver_set(struct qp_multigrid_solver *s, const struct qp_matrix *b)
{
    const struct qp_multigrid_vectors *to = s->grid;
    const bool refined = s->scheme->refined;
    const size_t width = (size_t)to->width, cells = width * (size_t)to->height;
    double sum = 0.0, most = 0.0;
    for (size_t i = 0; i < cells && s->singular; i++)
        sum += qp_matrix_value(b, i);
    const double mean = sum / (double)cells;
#pragma omp parallel for schedule(static) num_threads(s->threads) reduction(max : most)
    for (int y = 0; y < to->height; y++) {
        for (size_t x = 0; x < width; x++) {
            const double value = qp_matrix_value(b, (size_t)y * width + x) - mean;
            most = fmax(most, fabs(value));
            if (refined)
                s->right[(size_t)y * width + x] = value;
            else
                qp_set_value(to->b, s->precision, (size_t)(y * to->pitch) + x, value);
        }
    }
    s->scale = exp2(-qp_clamp(most > 0.0 && isfinite(most) ? ilogb(most) : 0, -64, 64));
}

/* Takes over the hierarchy's finest matrix, with room for a right-hand side beside it. */
static enum qp_status take_finest(struct qp_multigrid_solver *s, struct qp_multigrid *multigrid)
{
    struct qp_multigrid_grid *finest = multigrid->grid;
    s->fine = (struct qp_multigrid){.grids = 1, .grid = {*finest}};
    finest->row = NULL;
    s->right = qp_alloc_line((size_t)finest->width * (size_t)finest->height, sizeof *s->right,
                             "a right-hand side");
    return s->right != NULL ? QP_OK : QP_NO_MEMORY;
}

enum qp_status qp_multigrid_solver_make(struct qp_multigrid *multigrid, enum qp_precision precision,
                                        const struct qp_multigrid_scheme *scheme,
                                        const struct qp_matrix *b, int threads,
                                        struct qp_multigrid_solver *out)
{
    *out = (struct qp_multigrid_solver){.precision = precision,
                                        .scheme = scheme,
                                        .grids = multigrid->grids,
                                        .threads = threads,
                                        .inverse = multigrid->inverse,
                                        .singular = multigrid->singular};
    out->precision = scheme->refined ? QP_FLOATS : precision;
    multigrid->inverse = NULL;
    enum qp_status status = QP_OK;
    for (int k = 0; k < out->grids && status == QP_OK; k++)
        status = take_grid(out, &multigrid->grid[k], &out->grid[k]);
    if (status == QP_OK && scheme->refined)
        status = take_finest(out, multigrid);
    if (status != QP_OK)
        return status;
    const size_t room = RING_ROWS * (size_t)out->grid->pitch * qp_value_bytes(out->precision);
    out->rings = qp_alloc_line((size_t)threads, room, "rows between fused steps");
    if (out->rings == NULL)
        return QP_NO_MEMORY;
    memset(out->rings, 0, (size_t)threads * room);
    qp_multigrid_solver_set(out, b);
    return QP_OK;
}

void qp_multigrid_solver_free(struct qp_multigrid_solver *solver)
{
    for (int k = 0; k < solver->grids; k++) {
        free(solver->grid[k].row);
        free(solver->grid[k].rows);
        free(solver->grid[k].at);
        free(solver->grid[k].vectors);
    }
    qp_multigrid_free(&solver->fine);
    free(solver->right);
    free(solver->inverse);
    free(solver->rings);
    *solver = (struct qp_multigrid_solver){0};
}

/* ---- A sweep of stages ---- */

/* Stage 0 is x, or x + P e of the next coarser grid; then come steps, and the residual. */
struct sweep {
    const struct qp_multigrid_solver *solver;
    const struct qp_multigrid_vectors *grid;
    const void *from; /* NULL: x is 0 */
    long from_pitch;
    const struct qp_multigrid_vectors *coarse; /* NULL: no correction */
    int steps;
    void *to; /* x after the steps; NULL: nowhere */
    long to_pitch;
    const double *start; /* x in double, to which the answer is added; NULL: none */
    void *residual;      /* NULL: not wanted */
};

/* A thread's part of it. */
struct share {
    const struct sweep *sweep;
    int y0, y1, stages; /* the number of the last */
    void *ring;
};

static void *ring_row(const struct qp_multigrid_solver *s, void *rings, int share, int row)
{
    return value(s, rings, ((long)share * RING_ROWS + row) * s->grid->pitch + QP_MULTIGRID_LINE);
}

static const void *row_of(const struct share *t, int stage, int y)
{
    const struct sweep *w = t->sweep;
    const bool is_zero = stage == 0 && w->coarse == NULL && w->from == NULL;
    if (y < 0 || y >= w->grid->height || is_zero)
        return value(w->solver, t->ring, (STAGES * RING + 1) * w->solver->grid->pitch);
    if (stage == 0 && w->coarse == NULL)
        return value(w->solver, w->from, y * w->from_pitch);
    return value(w->solver, t->ring, (stage * RING + y % RING) * w->solver->grid->pitch);
}

/* Zeros beside a row that a narrower or wider grid has written. */
static void clear_ends(const struct qp_multigrid_solver *s, void *row, int width)
{
    memset(value(s, row, -1), 0, qp_value_bytes(s->precision));
    memset(value(s, row, width), 0, qp_value_bytes(s->precision));
}

static void correct_row(const struct share *t, int y, void *out)
{
    const struct sweep *w = t->sweep;
    const struct qp_multigrid_vectors *coarse = w->coarse;
    const struct qp_multigrid_share up = qp_multigrid_share_of(w->grid->up, y);
    const void *e[2] = {value(w->solver, coarse->x, up.at * coarse->pitch),
                        value(w->solver, coarse->x, (up.at + 1) * coarse->pitch)};
    void *sums = value(w->solver, t->ring, STAGES * RING * w->solver->grid->pitch);
    loops[w->solver->precision].prolong(
        w->grid, coarse->width, e, up.weight,
        w->from != NULL ? value(w->solver, w->from, y * w->from_pitch) : NULL, sums, out);
}

/* Row y of a stage, in its ring or the residual, and after the last step in `to` as well. */
static void compute_row(const struct share *t, int stage, int y)
{
    const struct sweep *w = t->sweep;
    const struct qp_multigrid_solver *s = w->solver;
    const struct qp_multigrid_vectors *g = w->grid;
    const bool is_residual = stage > w->steps, is_x = stage == 0 && w->coarse == NULL;
    void *out = is_residual ? value(s, w->residual, y * g->pitch) : (void *)row_of(t, stage, y);
    const void *b = value(s, g->b, y * g->pitch);
    const double weight =
        is_residual || stage == 0 ? 0.0 : s->scheme->smoother->weight[stage - 1] / g->radius;
    if (stage == 0 && !is_x) {
        correct_row(t, y, out);
    } else if (stage == 1 && !is_residual && w->from == NULL && w->coarse == NULL) {
        loops[s->precision].begin(g->row[y], g->pitch, g->width, weight, b, out);
    } else if (stage > 0) {
        const void *x[3] = {row_of(t, stage - 1, y - 1), row_of(t, stage - 1, y),
                            row_of(t, stage - 1, y + 1)};
        loops[s->precision].relax(g->row[y], g->pitch, g->width, weight, x, b, out);
    }
    if (!is_residual && !is_x)
        clear_ends(s, out, g->width);
    if (w->to == NULL || stage != w->steps || y < t->y0 || y >= t->y1)
        return;
    if (w->start != NULL)
        add_row(w->start + y * w->to_pitch, out, 1.0 / s->scale, g->width,
                (double *)w->to + y * w->to_pitch);
    else
        memcpy(value(s, w->to, y * w->to_pitch), out,
               (size_t)g->width * qp_value_bytes(s->precision));
}

static void sweep_share(const struct share *t)
{
    const int height = t->sweep->grid->height, last = t->stages;
    for (int next = t->y0 - last; next < t->y1 + last; next++) {
        for (int stage = 0; stage <= last; stage++) {
            const int y = next - stage, beyond = last - stage;
            if (y >= qp_most(t->y0 - beyond, 0) && y < qp_least(t->y1 + beyond, height))
                compute_row(t, stage, y);
        }
    }
}

static void sweep(const struct sweep *w)
{
    const struct qp_multigrid_solver *s = w->solver;
    const int shares = shares_of(s, w->grid);
#pragma omp parallel for schedule(static) if (shares > 1)
    for (int k = 0; k < shares; k++) {
        const struct share share = {w, (int)((long)w->grid->height * k / shares),
                                    (int)((long)w->grid->height * (k + 1) / shares),
                                    w->steps + (w->residual != NULL), ring_row(s, s->rings, k, 0)};
        sweep_share(&share);
    }
}

/* ---- Restriction, colours, the coarsest grid ---- */

/* Right-hand side of the next coarser grid, from this grid's residual. */
static void restrict_from(const struct qp_multigrid_solver *s,
                          const struct qp_multigrid_vectors *grid, const void *residual)
{
    const struct qp_multigrid_vectors *coarse = grid + 1;
    const int shares = shares_of(s, grid);
#pragma omp parallel for schedule(static) if (shares > 1)
    for (int k = 0; k < shares; k++) {
        for (int y = coarse->height * k / shares; y < coarse->height * (k + 1) / shares; y++) {
            const int first = 2 * y + grid->up.low - 1;
            const void *r[4];
            double weight[4];
            for (int j = 0; j < 4; j++) {
                const bool inside = first + j >= 0 && first + j < grid->height;
                const struct qp_multigrid_share up =
                    qp_multigrid_share_of(grid->up, inside ? first + j : 0);
                weight[j] = inside && up.at == y ? up.weight[0] : 0.0;
                weight[j] = inside && up.at + 1 == y ? up.weight[1] : weight[j];
                r[j] = value(s, residual, (inside ? first + j : 0) * grid->pitch);
            }
            loops[s->precision].restrict_to(grid, coarse->width, r, weight,
                                            ring_row(s, s->rings, k, STAGES * RING),
                                            value(s, coarse->b, y * coarse->pitch));
        }
    }
}

/* The smoother's steps in four colours, in place. */
static void relax_colours(const struct qp_multigrid_solver *s, const struct qp_multigrid_vectors *g,
                          void *x, long pitch, bool after)
{
    for (int k = 0; k < 4 * s->scheme->smoother->steps; k++) {
        const int colour = after ? 3 - k % 4 : k % 4;
#pragma omp parallel for schedule(static) if (shares_of(s, g) > 1)
        for (int y = colour / 2; y < g->height; y += 2) {
            void *const rows[3] = {y > 0 ? value(s, x, (y - 1) * pitch)
                                         : ring_row(s, s->rings, 0, STAGES * RING + 1),
                                   value(s, x, y * pitch),
                                   y + 1 < g->height ? value(s, x, (y + 1) * pitch)
                                                     : ring_row(s, s->rings, 0, STAGES * RING + 1)};
            loops[s->precision].relax_colour(g->row[y], g->pitch, g->width, colour % 2, rows,
                                             value(s, g->b, y * g->pitch));
        }
    }
}

static void solve_bottom(const struct qp_multigrid_solver *s, void *x, long pitch)
{
    const struct qp_multigrid_vectors *g = &s->grid[s->grids - 1];
    const int n = g->width * g->height;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += s->inverse[i * n + j] *
                   qp_value(g->b, s->precision, (size_t)(j / g->width * g->pitch + j % g->width));
        const size_t at = (size_t)(i / g->width * pitch + i % g->width);
        if (g == s->grid && s->scheme->refined)
            ((double *)x)[at] = s->start[at] + sum / s->scale;
        else
            qp_set_value(x, s->precision, at, sum);
    }
}

/* ---- Cycles ---- */

/* Smooths x, or x + P e of the coarser grid, into `to`, and finds the residual if it is wanted. */
static void smooth(struct sweep w, bool after)
{
    if (!w.solver->scheme->smoother->colours) {
        w.steps = w.solver->scheme->smoother->steps;
        sweep(&w);
        return;
    }
    void *residual = w.residual;
    w.residual = NULL;
    if (w.from == NULL && w.coarse == NULL)
        memset(value(w.solver, w.to, -w.to_pitch), 0,
               (size_t)(w.to_pitch * (w.grid->height + 1)) * qp_value_bytes(w.solver->precision));
    else
        sweep(&w);
    relax_colours(w.solver, w.grid, w.to, w.to_pitch, after);
    const struct sweep rest = {.solver = w.solver,
                               .grid = w.grid,
                               .from = w.to,
                               .from_pitch = w.to_pitch,
                               .residual = residual};
    if (residual != NULL)
        sweep(&rest);
}

/* A cycle on grid k from x, NULL being 0, after a correction by the coarser grid if `corrects`. */
static void take(const struct qp_multigrid_solver *s, int k, const void *x, bool corrects,
                 void *out, long pitch)
{
    const struct qp_multigrid_vectors *g = &s->grid[k];
    if (k == s->grids - 1) {
        solve_bottom(s, out, pitch);
        return;
    }
    struct sweep w = {.solver = s,
                      .grid = g,
                      .from = x,
                      .from_pitch = pitch,
                      .coarse = corrects ? g + 1 : NULL,
                      .to = g->smooth,
                      .to_pitch = g->pitch,
                      .residual = g->residual};
    smooth(w, false);
    restrict_from(s, g, g->residual);
    for (int visit = 0; visit < (s->scheme->cycle == QP_MULTIGRID_W ? 2 : 1); visit++)
        take(s, k + 1, visit > 0 ? g[1].x : NULL, false, g[1].x, g[1].pitch);
    w = (struct sweep){.solver = s,
                       .grid = g,
                       .from = g->smooth,
                       .from_pitch = g->pitch,
                       .coarse = g + 1,
                       .to = out,
                       .to_pitch = pitch,
                       .start = k == 0 ? s->start : NULL};
    smooth(w, true);
}

static void take_full(const struct qp_multigrid_solver *s, int k, const void *x, void *out,
                      long pitch)
{
    const struct qp_multigrid_vectors *g = &s->grid[k];
    const struct sweep w = {
        .solver = s, .grid = g, .from = x, .from_pitch = pitch, .residual = g->residual};
    if (k < s->grids - 1) {
        if (x != NULL)
            sweep(&w);
        restrict_from(s, g, x != NULL ? g->residual : g->b);
        take_full(s, k + 1, NULL, g[1].x, g[1].pitch);
    }
    take(s, k, x, true, out, pitch);
}

/* The cycle's right-hand side is b - A x in double, scaled and rounded. */
static void find_residual(const struct qp_multigrid_solver *s, const double *x, long pitch)
{
    const struct qp_multigrid_vectors *g = s->grid;
    const int shares = shares_of(s, g), width = g->width;
#pragma omp parallel for schedule(static) if (shares > 1)
    for (int k = 0; k < shares; k++) {
        double *residual = ring_row(s, s->rings, k, 0); /* as long as two rows in float */
        for (int y = g->height * k / shares; y < g->height * (k + 1) / shares; y++) {
            const void *rows[3] = {x + (y - 1) * pitch, x + y * pitch, x + (y + 1) * pitch};
            relax_double(s->fine.grid->row[y], width, width, 0.0, rows, s->right + (long)y * width,
                         residual);
            round_row(residual, s->scale, width, value(s, g->b, y * g->pitch));
        }
    }
}

void qp_multigrid_solver_cycle(struct qp_multigrid_solver *solver, const void *x, void *out,
                               long pitch)
{
    const bool refined = solver->scheme->refined;
    solver->start = refined ? x : NULL;
    if (refined)
        find_residual(solver, x, pitch);
    if (solver->scheme->cycle == QP_MULTIGRID_FULL)
        take_full(solver, 0, x, out, pitch);
    else
        take(solver, 0, refined ? NULL : x, false, out, pitch);
}
