/* SPDX-License-Identifier: MIT */
/* Chebyshev's iteration (Golub, Varga 1961) between bounds that it learns itself. The largest is
 * Gershgorin's, which is certain. The smallest comes from CG's first steps, whose alpha and beta
 * make the tridiagonal matrix of Lanczos; it is too large at first. What converges slower than
 * promised does so along eigenvectors below it, and the measured rate gives their eigenvalue
 * (Hageman, Young 1981, chapter 5). */
#include "lab/solve/krylov/steps.h"

#include <math.h>

void qp_krylov_recur(double low, double high, double *rho, double *c1, double *c2)
{
    const double middle = (high + low) / 2, half = (high - low) / 2, sigma = middle / half,
                 before = *rho;
    *rho = before != 0.0 ? 1.0 / (2.0 * sigma - before) : 1.0 / sigma;
    *c1 = *rho * before;
    *c2 = before != 0.0 ? 2.0 * *rho / half : 1.0 / middle;
}

/* Eigenvalues below x of the tridiagonal matrix: signs of Sturm's sequence. */
static int eigenvalues_below(const struct course *c, double x)
{
    int below = 0;
    double pivot = 1.0, side = 0.0, more = 0.0;
    for (int i = 0; i < (int)c->learned; i++) {
        pivot = 1.0 / (double)c->alpha[i] + more - x - side / pivot;
        if (fabs(pivot) < 1e-300)
            pivot = -1e-300;
        below += pivot < 0.0;
        more = (double)(c->beta[i] / c->alpha[i]);
        side = more / (double)c->alpha[i];
    }
    return below;
}

static double least_eigenvalue(const struct course *c, double largest)
{
    double low = 0.0, high = largest;
    for (int i = 0; i < 50; i++) {
        const double middle = (low + high) / 2;
        *(eigenvalues_below(c, middle) > 0 ? &high : &low) = middle;
    }
    return high;
}

/* Makes the next p; with `counts` x += p and r -= A p before. */
static enum qp_status turn(struct qp_krylov *k, bool counts)
{
    struct course *c = &k->course;
    double rho = (double)c->rho, c1, c2;
    qp_krylov_recur((double)c->low, (double)c->high, &rho, &c1, &c2);
    c->rho = (float)rho;
    c->degree += counts;
    c->steps += counts;
    k->c1 = (float)c1;
    k->c2 = (float)c2;
    const enum qp_status status = k->device->run(k, QP_KRYLOV_TURN);
    return status == QP_OK && k->slow ? k->device->finish(k) : status;
}

/* Begins from x and r as they are, with bounds of eigenvalues: p is zero before its first turn. */
static enum qp_status restart(struct qp_krylov *k, double low, double high)
{
    struct course *c = &k->course;
    c->high = (float)high;
    c->low = (float)fmin(low, 0.9 * high);
    c->degree = c->rho = 0.0f;
    c->start = c->square;
    enum qp_status status = k->device->copy(k, X, KEPT);
    if (status == QP_OK)
        status = k->device->send(k, NULL, P);
    return status == QP_OK ? turn(k, false) : status;
}

/* Squares of the residual, added up. */
static enum qp_status measure(struct qp_krylov *k)
{
    double total[4] = {0.0};
    enum qp_status status = k->device->run(k, QP_KRYLOV_LOOK);
    if (status == QP_OK)
        status = k->device->sums(k, total);
    k->course.square = (float)total[3];
    return status;
}

/* Compares the residual with what the bounds promise. */
static enum qp_status judge(struct qp_krylov *k)
{
    struct course *c = &k->course;
    const double low = (double)c->low, high = (double)c->high, half = (high - low) / 2,
                 made = sqrt((double)c->square / (double)c->start),
                 grows = c->degree * acosh((high + low) / 2 / half),
                 promised = 1.0 / cosh(fmin(grows, 300.0));
    if (c->square <= c->enough) {
        c->code = AT_TARGET;
    } else if (!(made <= 2.0)) { /* more than any eigenvalue between 0 and the largest makes */
        c->code = NOT_FINITE;
        c->steps -= c->degree;
        c->square = c->start;
        return k->device->copy(k, KEPT, X);
    } else if (c->degree >= 16.0f && made > 3.0 * promised) {
        const double stretch = cosh(acosh(fmax(made / promised, 1.0)) / c->degree),
                     found = (high + low) / 2 - half * stretch;
        return restart(k, fmin(fmax(found, low / 10), low / 1.5), high);
    }
    return QP_OK;
}

/* Takes alpha and beta of CG's next step, and makes it; after LEARNED of them Chebyshev begins. */
static enum qp_status learn(struct qp_krylov *k)
{
    struct course *c = &k->course;
    float cell[4];
    enum qp_status status = qp_krylov_read_state(k);
    if (status != QP_OK || c->code != 0.0f)
        return status;
    if (c->learned == LEARNED)
        return restart(k, least_eigenvalue(c, (double)k->largest), (double)k->largest);
    status = k->device->fetch_cell(k, false, k->parity, cell);
    c->alpha[(int)c->learned] = cell[0];
    c->beta[(int)c->learned] = cell[1];
    c->learned += 1.0f;
    return status == QP_OK ? qp_krylov_step(k) : status;
}

enum qp_status qp_krylov_chebyshev(struct qp_krylov *k, int steps)
{
    struct course *c = &k->course;
    enum qp_status status = QP_OK;
    for (int i = 0; i < steps && status == QP_OK && c->code == 0.0f && !qp_krylov_hurries(k); i++) {
        if (c->high == 0.0f)
            status = learn(k);
        if (status == QP_OK && c->high > 0.0f)
            status = turn(k, true);
    }
    if (status == QP_OK && c->high == 0.0f)
        return qp_krylov_read_state(k);
    if (status == QP_OK)
        status = measure(k);
    return status == QP_OK ? judge(k) : status;
}
