/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lab/solve/krylov/steps.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/status.h"

/* Seconds of a step after which runs wait for each of them, so that interrupts are seen in time. */
#define SLOW 0.005

enum { USUAL_LOOK = 8 }; /* steps from look to look */

/* ---- Making ---- */

static enum qp_status refuse(const struct qp_krylov_desc *desc)
{
    static const char *const names[] = {[QP_KRYLOV_POLYNOMIAL] = "chebyshev",
                                        [QP_KRYLOV_MULTIGRID] = "multigrid",
                                        [QP_KRYLOV_BLOCKS] = "block-jacobi"};
    if (desc->precondition >= QP_KRYLOV_POLYNOMIAL && desc->method != QP_KRYLOV_CG)
        return qp_fail(QP_UNSUPPORTED,
                       "the preconditioner %s is for the method cg alone; take none or jacobi, or "
                       "--method cg",
                       names[desc->precondition]);
    if (desc->precondition == QP_KRYLOV_BLOCKS && desc->layout == QP_PRODUCT_DIAGONALS)
        return qp_fail(QP_UNSUPPORTED, "the preconditioner block-jacobi is in slices, and does not "
                                       "go with diagonals; leave the layout out");
    return QP_OK;
}

static enum qp_status plan(const struct qp_krylov_desc *desc, int limit, struct qp_krylov *k)
{
    *k = (struct qp_krylov){.device = desc->cuda ? &qp_krylov_cuda : &qp_krylov_gl,
                            .context = desc->context,
                            .method = desc->method,
                            .precondition = desc->precondition,
                            .rows = desc->matrix->rows};
    const bool blocks = desc->precondition == QP_KRYLOV_BLOCKS;
    const enum qp_product_layout layout = blocks ? QP_PRODUCT_SLICED_ELL : desc->layout;
    enum qp_status status = refuse(desc);
    if (status == QP_OK && !desc->cuda)
        status = qp_product_plan(desc->matrix, layout, limit, &k->matrix);
    if (status == QP_OK && !desc->cuda && blocks)
        status = qp_product_plan_like(desc->inverse, &k->matrix, limit, &k->inverse);
    return status;
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
    if (status == QP_OK && desc->precondition == QP_KRYLOV_BLOCKS)
        *bytes += qp_product_bytes(&k.inverse, 0);
    *layout = k.matrix.layout;
    qp_product_destroy(&k.matrix);
    qp_product_destroy(&k.inverse);
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

/* Runs all parts on zeros, which meet any target, and waits: drivers compile programs when they are
 * first drawn. Then a step shows how long one takes. */
static enum qp_status warm_up(struct qp_krylov *k)
{
    static const enum qp_krylov_part parts[] = {QP_KRYLOV_START, QP_KRYLOV_BEGIN, QP_KRYLOV_TURN,
                                                QP_KRYLOV_LOOK,  QP_KRYLOV_REST,  QP_KRYLOV_STEP,
                                                QP_KRYLOV_STEP};
    enum qp_status status = QP_OK;
    double since = 0.0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == QP_OK; i++) {
        since = qp_clock();
        status = k->device->run(k, parts[i]);
        if (status == QP_OK)
            status = k->device->finish(k);
    }
    k->step_seconds = qp_clock() - since;
    k->slow = k->step_seconds > SLOW;
    return status;
}

static enum qp_status make(const struct qp_krylov_desc *desc, struct qp_krylov *k)
{
    const int limit = desc->cuda ? 0 : qp_context_device(desc->context)->rectangle_limit;
    enum qp_status status = plan(desc, limit, k);
    k->largest = bound(desc->matrix);
    k->apply = desc->precondition == QP_KRYLOV_MULTIGRID ? desc->apply : NULL;
    k->user = desc->user;
    if (status == QP_OK && k->apply != NULL) {
        k->host = qp_alloc((size_t)k->rows, 2 * sizeof *k->host, "vectors on the host");
        status = k->host != NULL ? QP_OK : QP_NO_MEMORY;
    }
    if (status == QP_OK)
        status = k->device->make(k, desc);
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
    k->device->destroy(k);
    qp_product_destroy(&k->matrix);
    qp_product_destroy(&k->inverse);
    free(k->host);
    free(k);
    *krylov = NULL;
}

enum qp_product_layout qp_krylov_layout(const struct qp_krylov *krylov)
{
    return krylov->matrix.layout;
}

bool qp_krylov_is_on_cuda(const struct qp_krylov *krylov)
{
    return krylov->device == &qp_krylov_cuda;
}

enum qp_status qp_krylov_answer(struct qp_krylov *k, float *d)
{
    const enum qp_status status = k->device->fetch(k, X, d);
    bool finite = status == QP_OK;
    for (int i = 0; i < k->rows && finite; i++)
        finite = isfinite(d[i] *= k->course.scale);
    if (!finite)
        memset(d, 0, (size_t)k->rows * sizeof *d);
    return status;
}

/* ---- State ---- */

enum { COURSE = sizeof(struct course) / sizeof(float), CELLS = 8 };

size_t qp_krylov_state_size(const struct qp_krylov *k)
{
    size_t size = COURSE + CELLS;
    for (int i = 0; i < VECTORS; i++)
        size += qp_krylov_keeps(k, i) ? (size_t)k->rows : 0;
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
    const struct qp_krylov_device *device = k->device;
    const int cell = qp_krylov_cell(k);
    float *at = state + COURSE;
    enum qp_status status = QP_OK;
    for (int i = 0; i < 2 && status == QP_OK; i++, at += 4)
        status = saves ? device->fetch_cell(k, i == 1, cell, at)
                       : device->send_cell(k, i == 1, cell, at);
    for (int i = 0; i < VECTORS && status == QP_OK; i++) {
        if (!qp_krylov_keeps(k, i))
            continue;
        const int from = exchanged(k, i);
        status = saves ? device->fetch(k, from, at) : device->send(k, at, from);
        at += k->rows;
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
    for (int i = 0; i < k->rows; i++)
        square += (double)r[i] * (double)r[i];
    for (int i = 0; i < k->rows && square > 0.0; i++)
        r[i] = (float)((double)r[i] / sqrt(square));
    enum qp_status status = k->device->send(k, r, P);
    for (int i = 0; i < 3 && status == QP_OK; i++)
        status = k->device->send(k, NULL, zeros[i]);
    if (status == QP_OK)
        status = k->device->send_cell(k, false, 0, rotation);
    if (status == QP_OK)
        status = k->device->send_cell(k, true, 0, cell);
    return status == QP_OK ? qp_krylov_read_state(k) : status;
}

/* Makes the first direction and scalars from the residual, with `shadow` as BiCGSTAB's r~. */
static enum qp_status start_with(struct qp_krylov *k, const float *shadow)
{
    const float cell[4] = {0.0f, 0.0f, k->course.began - 1.0f, k->course.enough};
    enum qp_status status = k->device->send_cell(k, true, 1, cell);
    if (status == QP_OK && qp_krylov_has(k, SHADOW))
        status = k->device->send(k, shadow, SHADOW);
    if (status == QP_OK)
        status = k->apply != NULL ? qp_krylov_apply(k, R, Z) : k->device->run(k, QP_KRYLOV_START);
    if (status == QP_OK)
        status = k->device->copy(k, qp_krylov_has(k, Z) ? Z : R, P);
    k->parity = 1;
    if (status == QP_OK)
        status = qp_krylov_advance(k, QP_KRYLOV_BEGIN);
    return status == QP_OK ? qp_krylov_read_state(k) : status;
}

/* Starts from the residual, with it without its scale as r~; where r~ is at right angles to A r, as
 * it is where r is zero but in rows whose diagonal is zero, with numbers that are as good as random
 * and always the same. `r` holds the residual, and is changed. */
static enum qp_status start(struct qp_krylov *k, float *r)
{
    enum { SHADOWS = 3 };
    const float scale = (float)scale_of((double)k->course.square);
    const double part = sqrt(3.0 / k->rows);
    uint64_t seed = 1;
    k->course.began = k->course.steps;
    k->parity = 0;
    k->ready = true;
    for (int i = 0; i < k->rows; i++)
        r[i] /= scale;
    enum qp_status status = k->method == QP_KRYLOV_MINRES ? start_minres(k, r) : start_with(k, r);
    for (int more = 0; more < SHADOWS && status == QP_OK && k->course.code == NO_RHO; more++) {
        for (int i = 0; i < k->rows; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            r[i] = (float)(((double)(seed >> 40) * 0x1p-23 - 1.0) * part);
        }
        status = start_with(k, r);
    }
    return status;
}

static enum qp_status begin(struct qp_krylov *k, const struct qp_krylov_run *run)
{
    const int rows = k->rows;
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
    enum qp_status status = r != NULL ? k->device->send(k, NULL, X) : QP_NO_MEMORY;
    if (status == QP_OK)
        status = k->device->send(k, r, R);
    if (status == QP_OK)
        status = start(k, r);
    free(r);
    return status;
}

/* Starts BiCGSTAB again from its residual, as r~ has become orthogonal to it. */
static enum qp_status start_again(struct qp_krylov *k)
{
    float *r = qp_alloc((size_t)k->rows, sizeof *r, "a residual");
    enum qp_status status = r != NULL ? k->device->fetch(k, R, r) : QP_NO_MEMORY;
    if (status == QP_OK)
        status = start(k, r);
    free(r);
    return status;
}

/* Runs steps up to the next look. */
static enum qp_status go_on(struct qp_krylov *k, int steps)
{
    const struct course *c = &k->course;
    if (k->method == QP_KRYLOV_CHEBYSHEV)
        return qp_krylov_chebyshev(k, steps);
    enum qp_status status = k->device->steps(k, steps);
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

/* Steps up to the next look: where looks may be rare, half of those that the residual's fall so far
 * leaves to come, since steps after the end are lost. Where the device itself ends the run, looks
 * are at multiples of `rarely`, wherever the run went on from. */
static int steps_to_look(const struct qp_krylov *k, const struct qp_krylov_run *run)
{
    const struct course *c = &k->course;
    const double usual = USUAL_LOOK, most = fmax((double)run->rarely, usual);
    if (run->every > 0 || k->method == QP_KRYLOV_CHEBYSHEV)
        return run->every > 0 ? run->every : USUAL_LOOK;
    if (k->ends_itself)
        return (int)most - (int)c->steps % (int)most;
    const double made = log((double)c->square / (double)c->first),
                 left = c->steps * (log((double)c->enough / (double)c->first) / made - 1.0);
    return made < 0.0 ? (int)fmin(fmax(fmin(left, c->steps) / 2, usual), most) : USUAL_LOOK;
}

enum qp_status qp_krylov_run(struct qp_krylov *k, const struct qp_krylov_run *run,
                             struct qp_krylov_result *out)
{
    k->interrupt = run->interrupt;
    if (run->r == NULL && !k->ready)
        return qp_fail(QP_BAD_USE, "a run without r goes on from a restored state");
    enum qp_status status = run->r != NULL ? begin(k, run) : QP_OK;
    while (status == QP_OK && !ends(&k->course, run, out)) {
        const int left = run->most_steps - out->steps, every = steps_to_look(k, run);
        status = go_on(k, every < left ? every : left);
        if (status == QP_OK && k->course.code == 0.0f && run->look != NULL) {
            const bool last = ends(&k->course, run, out);
            if (!run->look(run->user, out->steps, out->residual) && !last)
                break;
        }
    }
    return status;
}
