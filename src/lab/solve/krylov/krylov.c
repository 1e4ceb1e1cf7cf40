/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lab/solve/krylov/steps.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/status.h"

/* Seconds of a step after which runs wait for each of them, so that interrupts are seen in time. */
#define SLOW 0.05

/* ---- Making ---- */

static enum qp_status plan(const struct qp_krylov_desc *desc, int limit, struct qp_krylov *k)
{
    *k = (struct qp_krylov){
        .context = desc->context, .method = desc->method, .precondition = desc->precondition};
    if (desc->precondition >= QP_KRYLOV_POLYNOMIAL && desc->method != QP_KRYLOV_CG)
        return qp_fail(QP_UNSUPPORTED,
                       "the preconditioner %s is for the method cg alone; take none or jacobi, or "
                       "--method cg",
                       desc->precondition == QP_KRYLOV_POLYNOMIAL ? "chebyshev" : "multigrid");
    return qp_product_plan(desc->matrix, desc->layout, limit, &k->matrix);
}

enum qp_status qp_krylov_estimate(const struct qp_krylov_desc *desc, int limit, double *bytes,
                                  enum qp_product_layout *layout)
{
    struct qp_krylov k;
    const enum qp_status status = plan(desc, limit, &k);
    int vectors = 0;
    for (int i = 0; i < VECTORS; i++)
        vectors += qp_krylov_has(&k, i);
    *bytes = status == QP_OK ? qp_product_bytes(&k.matrix, vectors) : 0.0;
    *layout = k.matrix.layout;
    qp_product_destroy(&k.matrix);
    return status;
}

/* No eigenvalue is larger than the largest sum of a row's magnitudes. */
static float bound(const struct qp_sparse *matrix)
{
    double largest = 0.0;
    for (int i = 0; i < matrix->rows; i++) {
        double sum = 0.0;
        for (size_t e = matrix->first[i]; e < matrix->first[i + 1]; e++)
            sum += fabs((double)matrix->value[e]);
        largest = sum > largest ? sum : largest;
    }
    return largest > 0.0 ? (float)largest : 1.0f;
}

/* Runs all lists on zeros, which meet any target, and waits: drivers compile programs when they are
 * first drawn. Then a step shows how long one takes. */
static enum qp_status warm_up(struct qp_krylov *k)
{
    struct qp_list *const lists[] = {k->start,   k->begin,   k->turn,    k->look,
                                     k->rest[0], k->rest[1], k->step[0], k->step[0]};
    enum qp_status status = QP_OK;
    double since = 0.0;
    for (int i = 0; i < 8 && status == QP_OK; i++) {
        since = qp_clock();
        status = lists[i] != NULL ? qp_list_run(lists[i], 1) : QP_OK;
        if (status == QP_OK)
            status = qp_context_finish(k->context);
    }
    k->slow = qp_clock() - since > SLOW;
    return status;
}

static enum qp_status make(const struct qp_krylov_desc *desc, struct qp_krylov *k)
{
    enum qp_status status = plan(desc, qp_context_device(desc->context)->rectangle_limit, k);
    const struct qp_array_desc vector = {k->matrix.width, k->matrix.tall, .channels = 4};
    if (status == QP_OK)
        status = qp_product_load(desc->context, desc->matrix, &k->matrix);
    if (status == QP_OK)
        status = qp_product_program(desc->context, &k->matrix);
    for (int i = 0; i < VECTORS && status == QP_OK; i++) {
        if (qp_krylov_has(k, i))
            status = qp_array_create(desc->context, &vector, NULL, &k->vector[i]);
    }
    k->largest = bound(desc->matrix);
    k->apply = desc->precondition == QP_KRYLOV_MULTIGRID ? desc->apply : NULL;
    k->user = desc->user;
    if (status == QP_OK && k->apply != NULL) {
        k->host = qp_alloc((size_t)k->matrix.rows, 2 * sizeof *k->host, "vectors on the host");
        status = k->host != NULL ? QP_OK : QP_NO_MEMORY;
    }
    if (status == QP_OK)
        status = qp_krylov_steps_create(k);
    return status == QP_OK ? warm_up(k) : status;
}

enum qp_status qp_krylov_create(const struct qp_krylov_desc *desc, struct qp_krylov **out)
{
    *out = qp_alloc_zero(1, sizeof **out, "a Krylov method");
    const enum qp_status status = *out != NULL ? make(desc, *out) : QP_NO_MEMORY;
    if (status != QP_OK)
        qp_krylov_destroy(out);
    return status;
}

void qp_krylov_destroy(struct qp_krylov **krylov)
{
    struct qp_krylov *k = *krylov;
    if (k == NULL)
        return;
    struct qp_list **lists[] = {&k->start,   &k->begin,   &k->step[0], &k->step[1],
                                &k->rest[0], &k->rest[1], &k->turn,    &k->look};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        qp_list_destroy(lists[i]);
    for (int i = 0; i < KERNELS; i++)
        qp_kernel_destroy(&k->kernel[i]);
    qp_pyramid_destroy(&k->sums);
    for (int i = 0; i < VECTORS; i++)
        qp_array_destroy(&k->vector[i]);
    for (int i = 0; i < 2; i++) {
        qp_array_destroy(&k->scalars[i]);
        qp_array_destroy(&k->state[i]);
    }
    qp_product_destroy(&k->matrix);
    free(k->host);
    free(k);
    *krylov = NULL;
}

enum qp_product_layout qp_krylov_layout(const struct qp_krylov *krylov)
{
    return krylov->matrix.layout;
}

enum qp_status qp_krylov_answer(struct qp_krylov *k, float *d)
{
    const enum qp_status status = qp_product_read(&k->matrix, k->vector[X], d);
    bool finite = status == QP_OK;
    for (int i = 0; i < k->matrix.rows && finite; i++)
        finite = isfinite(d[i] *= k->course.scale);
    if (!finite)
        memset(d, 0, (size_t)k->matrix.rows * sizeof *d);
    return status;
}

/* ---- State ---- */

enum { COURSE = sizeof(struct course) / sizeof(float), CELLS = 8 };

size_t qp_krylov_state_size(const struct qp_krylov *k)
{
    size_t size = COURSE + CELLS;
    for (int i = 0; i < VECTORS; i++)
        size += qp_krylov_keeps(k, i) ? (size_t)k->matrix.rows : 0;
    return size;
}

/* The vector that is this one in a state, which is one after an even number of steps. */
static int exchanged(const struct qp_krylov *k, int vector)
{
    static const int other[VECTORS] = {[P] = V, [V] = P, [Z] = SHADOW, [SHADOW] = Z};
    return k->method == QP_KRYLOV_MINRES && k->parity && other[vector] != X ? other[vector]
                                                                            : vector;
}

/* Reads scalars and vectors into a state, or writes them. */
static enum qp_status transfer(struct qp_krylov *k, float *state, bool saves)
{
    struct qp_array *cells[] = {k->scalars[qp_krylov_cell(k)], k->state[qp_krylov_cell(k)]};
    float *at = state + COURSE;
    enum qp_status status = QP_OK;
    for (int i = 0; i < 2 && status == QP_OK; i++, at += 4)
        status =
            saves ? qp_array_read(cells[i], NULL, at, 0) : qp_array_write(cells[i], NULL, at, 0);
    for (int i = 0; i < VECTORS && status == QP_OK; i++) {
        if (!qp_krylov_keeps(k, i))
            continue;
        const int from = exchanged(k, i);
        status = saves ? qp_product_read(&k->matrix, k->vector[from], at)
                       : qp_product_write(&k->matrix, at, k->vector[from]);
        at += k->matrix.rows;
    }
    return status;
}

enum qp_status qp_krylov_save(struct qp_krylov *k, float *state)
{
    memcpy(state, &k->course, sizeof k->course);
    return transfer(k, state, true);
}

enum qp_status qp_krylov_restore(struct qp_krylov *k, const float *state)
{
    struct course course;
    memcpy(&course, state, sizeof course);
    if (!(course.scale > 0.0f && isfinite(course.first) && course.steps >= 0.0f &&
          course.learned >= 0.0f && course.learned <= LEARNED))
        return qp_fail(QP_BAD_INPUT, "numbers that are no state of a Krylov method");
    k->course = course;
    k->parity = 0;
    const enum qp_status status = transfer(k, (float *)state, false);
    k->ready = status == QP_OK;
    return status;
}

/* ---- Steps ---- */

/* The power of two by which numbers of that sum of squares are divided, so that theirs is 1
 * to 4. */
static double scale_of(double square)
{
    int exponent;
    frexp(sqrt(square), &exponent);
    return square > 0.0 ? ldexp(1.0, exponent - 1) : 1.0;
}

/* Makes the first vector of Lanczos, of length 1, and the rotation before the first. */
static enum qp_status start_minres(struct qp_krylov *k, float *r)
{
    const struct course *c = &k->course;
    const float rotation[4] = {-1.0f, 0.0f, 0.0f, 0.0f},
                cell[4] = {c->first, c->first <= c->enough ? AT_TARGET : GOES_ON, 0.0f, c->enough};
    const int zeros[] = {V, Z, SHADOW};
    double square = 0.0;
    for (int i = 0; i < k->matrix.rows; i++)
        square += (double)r[i] * (double)r[i];
    for (int i = 0; i < k->matrix.rows && square > 0.0; i++)
        r[i] = (float)((double)r[i] / sqrt(square));
    enum qp_status status = qp_product_write(&k->matrix, r, k->vector[P]);
    for (int i = 0; i < 3 && status == QP_OK; i++)
        status = qp_array_fill(k->vector[zeros[i]], NULL, 0.0);
    if (status == QP_OK)
        status = qp_array_write(k->scalars[0], NULL, rotation, 0);
    if (status == QP_OK)
        status = qp_array_write(k->state[0], NULL, cell, 0);
    return status == QP_OK ? qp_krylov_read_state(k) : status;
}

/* Makes the first direction and scalars from the residual, with `shadow` as BiCGSTAB's r~. */
static enum qp_status start_with(struct qp_krylov *k, const float *shadow)
{
    const float cell[4] = {0.0f, 0.0f, k->course.began - 1.0f, k->course.enough};
    enum qp_status status = qp_array_write(k->state[1], NULL, cell, 0);
    if (status == QP_OK && k->vector[SHADOW] != NULL)
        status = qp_product_write(&k->matrix, shadow, k->vector[SHADOW]);
    if (status == QP_OK && k->start != NULL)
        status = qp_list_run(k->start, 1);
    if (status == QP_OK && k->apply != NULL)
        status = qp_krylov_apply(k, R, Z);
    if (status == QP_OK)
        status = qp_array_copy(k->vector[k->vector[Z] != NULL ? Z : R], NULL, k->vector[P], 0, 0);
    if (status == QP_OK)
        status = qp_list_run(k->begin, 1);
    if (status == QP_OK)
        status = qp_krylov_rest(k, 1);
    return status == QP_OK ? qp_krylov_read_state(k) : status;
}

/* Starts from the residual, with it without its scale as r~; where r~ is at right angles to A r, as
 * it is where r is zero but in rows whose diagonal is zero, with numbers that are as good as random
 * and always the same. `r` holds the residual, and is changed. */
static enum qp_status start(struct qp_krylov *k, float *r)
{
    enum { SHADOWS = 3 };
    const float scale = (float)scale_of((double)k->course.square);
    const double part = sqrt(3.0 / k->matrix.rows);
    uint64_t seed = 1;
    k->course.began = k->course.steps;
    k->parity = 0;
    k->ready = true;
    for (int i = 0; i < k->matrix.rows; i++)
        r[i] /= scale;
    enum qp_status status = k->method == QP_KRYLOV_MINRES ? start_minres(k, r) : start_with(k, r);
    for (int more = 0; more < SHADOWS && status == QP_OK && k->course.code == NO_RHO; more++) {
        for (int i = 0; i < k->matrix.rows; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            r[i] = (float)(((double)(seed >> 40) * 0x1p-23 - 1.0) * part);
        }
        status = start_with(k, r);
    }
    return status;
}

static enum qp_status begin(struct qp_krylov *k, const struct qp_krylov_run *run)
{
    const int rows = k->matrix.rows;
    double square = 0.0;
    for (int i = 0; i < rows; i++)
        square += (double)run->r[i] * (double)run->r[i];
    const double scale = scale_of(square), first = square / scale / scale;
    k->course = (struct course){.first = (float)first,
                                .scale = (float)scale,
                                .enough = (float)(run->target * run->target * first),
                                .square = (float)first};
    float *r = qp_alloc((size_t)rows, sizeof *r, "a right-hand side");
    for (int i = 0; i < rows && r != NULL; i++)
        r[i] = (float)((double)run->r[i] / scale);
    enum qp_status status = r != NULL ? qp_array_fill(k->vector[X], NULL, 0.0) : QP_NO_MEMORY;
    if (status == QP_OK)
        status = qp_product_write(&k->matrix, r, k->vector[R]);
    if (status == QP_OK)
        status = start(k, r);
    free(r);
    return status;
}

/* Starts BiCGSTAB again from its residual, as r~ has become orthogonal to it. */
static enum qp_status start_again(struct qp_krylov *k)
{
    float *r = qp_alloc((size_t)k->matrix.rows, sizeof *r, "a residual");
    enum qp_status status = r != NULL ? qp_product_read(&k->matrix, k->vector[R], r) : QP_NO_MEMORY;
    if (status == QP_OK)
        status = start(k, r);
    free(r);
    return status;
}

/* Runs steps up to the next look. */
static enum qp_status go_on(struct qp_krylov *k, int steps)
{
    const struct course *c = &k->course;
    enum qp_status status = QP_OK;
    if (k->method == QP_KRYLOV_CHEBYSHEV)
        return qp_krylov_chebyshev(k, steps);
    for (int i = 0; i < steps && status == QP_OK && !qp_krylov_hurries(k); i++)
        status = qp_krylov_step(k);
    if (status == QP_OK)
        status = qp_krylov_read_state(k);
    const bool broke =
        k->method == QP_KRYLOV_BICGSTAB && (c->code == NO_RHO || c->code == NO_OMEGA);
    return status == QP_OK && broke && c->steps > c->began ? start_again(k) : status;
}

/* Fills in how far a run is; true if it ends there. */
static bool ends(const struct course *c, const struct qp_krylov_run *run,
                 struct qp_krylov_result *out)
{
    static const enum qp_krylov_ending endings[] = {[AT_TARGET] = QP_KRYLOV_TARGET,
                                                    [NO_CURVATURE] = QP_KRYLOV_CURVATURE,
                                                    [NO_RHO] = QP_KRYLOV_RHO,
                                                    [NO_OMEGA] = QP_KRYLOV_OMEGA,
                                                    [NOT_FINITE] = QP_KRYLOV_DIVERGING};
    out->steps = (int)c->steps;
    out->residual = c->first > 0.0f ? sqrt((double)c->square / (double)c->first) : 0.0;
    out->ending = c->code != 0.0f                 ? endings[(int)c->code]
                  : out->steps >= run->most_steps ? QP_KRYLOV_OUT_OF_STEPS
                                                  : QP_KRYLOV_STOPPED;
    return out->ending != QP_KRYLOV_STOPPED || qp_is_interrupted(run->interrupt);
}

enum qp_status qp_krylov_run(struct qp_krylov *k, const struct qp_krylov_run *run,
                             struct qp_krylov_result *out)
{
    const int every = run->every > 0 ? run->every : 8;
    k->interrupt = run->interrupt;
    if (run->r == NULL && !k->ready)
        return qp_fail(QP_BAD_USE, "a run without r goes on from a restored state");
    enum qp_status status = run->r != NULL ? begin(k, run) : QP_OK;
    while (status == QP_OK && !ends(&k->course, run, out)) {
        const int left = run->most_steps - out->steps;
        status = go_on(k, every < left ? every : left);
        if (status == QP_OK && k->course.code == 0.0f && run->look != NULL) {
            const bool last = ends(&k->course, run, out);
            if (!run->look(run->user, out->steps, out->residual) && !last)
                break;
        }
    }
    return status;
}
