/* SPDX-License-Identifier: MIT */
/* Methods over the steps of poisson5. With G the Jacobi step's matrix, whose eigenvalues lie
 * between -rho and rho, rho = qp_poisson5_radius, a step of weight w takes the residual r to
 * (1 - w) r + w G r; and the matrix is symmetric with a constant diagonal, so what follows holds of
 * the residual's 2-norm.
 *
 *     jacobi      w = 1: r shrinks by rho a step.
 *     sor         red-black order with Young's optimum w = 2 / (1 + sqrt(1 - rho^2)): k steps leave
 *                 some k (w - 1)^k of it, for the slowest part belongs to a double eigenvalue
 *                 (Young, 1954); of the sine 4 times that was measured, so 5 times is a bound for
 *                 use.
 *     chebyshev   k steps with the weights 1 / (1 - rho cos((2 j + 1) pi / (2 k))), the inverses of
 *                 the zeros of Chebyshev's polynomial on [1 - rho, 1 + rho], leave 1 / T_k(1 / rho)
 *                 at most (Richardson; Young, 1953). */
#include "lab/ops/poisson5/methods.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- jacobi ---- */

static struct qp_poisson5_course plan_jacobi(const struct qp_problem *problem,
                                             struct qp_poisson5_goal goal)
{
    const double rate = qp_poisson5_radius(problem);
    return (struct qp_poisson5_course){.weight = 1.0, .steps = ceil(log(goal.factor) / log(rate))};
}

/* ---- sor ---- */

static double optimum(const struct qp_problem *problem)
{
    const double rho = qp_poisson5_radius(problem);
    return 2.0 / (1.0 + sqrt((1.0 - rho) * (1.0 + rho)));
}

/* The least k with 5 k (w - 1)^k at the factor: k = ln(5 k / factor) / -ln(w - 1), from which the
 * iteration below converges, as k is large against 1 / -ln(w - 1). */
static struct qp_poisson5_course plan_sor(const struct qp_problem *problem,
                                          struct qp_poisson5_goal goal)
{
    const double w = optimum(problem), each = -log(fmax(w - 1.0, 1e-300));
    double steps = 1.0;
    for (int k = 0; k < 20; k++)
        steps = fmax(1.0, log(5.0 * steps / goal.factor) / each);
    return (struct qp_poisson5_course){.weight = w, .steps = ceil(steps)};
}

/* ---- chebyshev ---- */

/* ln T_k(1 / rho) = ln cosh(k acosh(1 / rho)), without overflow. */
static double gain_of_cycle(double rho, int cycle)
{
    const double angle = cycle * acosh(1.0 / fmax(rho, 1e-300));
    return angle + log1p(exp(-2.0 * angle)) - log(2.0);
}

/* The cycle, among powers of two that gain no more than a walk may, that is through first, and of
 * equals the shortest. Each ends with a residual that can be trusted, while within one it may be
 * large. */
static struct qp_poisson5_course plan_chebyshev(const struct qp_problem *problem,
                                                struct qp_poisson5_goal goal)
{
    enum { LONGEST = 1 << 16 };
    const double rho = qp_poisson5_radius(problem);
    const double wanted = -log(goal.factor), most = -log(goal.nearest);
    struct qp_poisson5_course best = {.weight = 1.0, .steps = INFINITY};
    for (int cycle = 1; cycle <= LONGEST; cycle *= 2) {
        const double gain = gain_of_cycle(rho, cycle), cycles = ceil(wanted / gain);
        if (cycle > 1 && (gain > most || cycle * cycles >= best.steps))
            continue;
        best =
            (struct qp_poisson5_course){.weight = 1.0,
                                        .cycle = cycle,
                                        .walk = cycle * (int)fmax(1.0, fmin(cycles, most / gain)),
                                        .steps = cycle * cycles};
    }
    return best;
}

static double weight_at(double rho, int odd, int cycle)
{
    return 1.0 / (1.0 - rho * cos(odd * pi / (2.0 * cycle)));
}

void qp_poisson5_natural_weights(const struct qp_problem *problem, int cycle, double *weights)
{
    const double rho = qp_poisson5_radius(problem);
    for (int k = 0; k < cycle; k++)
        weights[k] = weight_at(rho, 2 * k + 1, cycle);
}

/* Lebedev and Finogenov's order (1971). Large weights, which enlarge quick parts of an error, are
 * next to small ones that make up for it: from the order of n odd numbers that of 2 n comes by
 * setting 4 n - a after each a. In natural order products of many large weights come first, and
 * rounding errors grow with them beyond all numbers. */
static void fill_chebyshev(const struct qp_problem *problem, int cycle, double *weights)
{
    const double rho = qp_poisson5_radius(problem);
    weights[0] = 1.0;
    for (int n = 1; n < cycle; n *= 2) {
        for (int k = n - 1; k >= 0; k--) {
            const double odd = weights[k];
            weights[2 * k] = odd;
            weights[2 * k + 1] = 4.0 * n - odd;
        }
    }
    for (int k = 0; k < cycle; k++)
        weights[k] = weight_at(rho, (int)weights[k], cycle);
}

/* Over-relaxation keeps the noise of rounding for as many steps as 1 / (2 - w), so its worst floor
 * is the lowest. */
const struct qp_poisson5_method qp_poisson5_methods[] = {
    {.name = "jacobi",
     .what = "the paper's own: all cells at once, weight 1",
     .order = QP_POISSON5_TOGETHER,
     .plan = plan_jacobi,
     .worst_floor = 0.03},
    {.name = "sor",
     .what = "successive over-relaxation in red-black order, with the optimum of its weight",
     .order = QP_POISSON5_RED_BLACK,
     .plan = plan_sor,
     .worst_floor = 0.003},
    {.name = "chebyshev",
     .what = "all cells at once, each step with a weight of its own: the zeros of Chebyshev's "
             "polynomial",
     .order = QP_POISSON5_TOGETHER,
     .plan = plan_chebyshev,
     .worst_floor = 0.03,
     .fill = fill_chebyshev},
    {0}};

const struct qp_poisson5_method *qp_poisson5_method(const char *name)
{
    const struct qp_poisson5_method *method = qp_poisson5_methods;
    while (method->name != NULL && strcmp(method->name, name) != 0)
        method++;
    return method->name != NULL ? method : NULL;
}
