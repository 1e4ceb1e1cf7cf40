/* SPDX-License-Identifier: MIT */
/* Choice of the method that solves Poisson's equation, and of its variant. */
#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "lab/ops/multigrid/multigrid.h"
#include "lab/plan/problem.h"
#include "lab/solve/poisson/poisson.h"
#include "lab/solve/preference.h"
#include "lab/solve/solvers.h"
#include "toolkit/base/layout.h"
#include "toolkit/base/status.h"

enum { MOST_NAMES = 9 };

/* Order by times of whole solves, n = 1023 to 1e-6. Two threads of a processor, float refined in
 * double (docs/measurements, llvmpipe-poisson5-solves): blocked variants before red-black ones, and
 * llvmpipe's own takes 2.8 times as long and more. */
#define ON_CPU                                                                                \
    "poisson5/openmp_blocked", "poisson5/openmp_red_black", "poisson5/openmp_blocked_double", \
        "poisson5/openmp_red_black_double"

/* Order on an H200 (docs/measurements/2026-11-23-h200-poisson5-solves.md), in less than half of the
 * time of its 32 processors: double before float, which takes several rounds. Other GPUs were not
 * timed, and many are slow in double. The first two refuse grids that do not fit on the chip. */
#define ON_HOPPER                                                               \
    "poisson5/cuda_resident_double", "poisson5/cuda_red_black_resident_double", \
        "poisson5/cuda_red_black_double", "poisson5/cuda_temporal_double"

/* Least number of cells for which CUDA is worth its set-up, 0.27 s there, in which the processors
 * solve n = 650: they take 1.03 s for n = 1023, and steps times cells grow with n^3. */
static const double worth_cuda = 700.0 * 700.0;

static const struct device {
    const char *renderer; /* a shell pattern for GL_RENDERER */
    const char *names[MOST_NAMES];
} devices[] = {{"NVIDIA H[12]00*", {ON_HOPPER, ON_CPU}}, {"*", {ON_CPU}}};

const char *const *qp_poisson_preference(const char *renderer)
{
    const struct device *device = devices;
    while (fnmatch(device->renderer, renderer != NULL ? renderer : "", 0) != 0)
        device++; /* the last one matches */
    return device->names;
}

bool qp_poisson_is_double(const struct qp_variant *variant)
{
    return qp_format_precision(variant->recipe->state.format) == QP_DOUBLES;
}

double qp_poisson_floor(const struct qp_problem *problem, bool in_double)
{
    return (in_double ? 0x1p-53 : 0x1p-24) / (1.0 - qp_poisson5_radius(problem));
}

static enum qp_poisson5_order order_of(const struct qp_variant *variant)
{
    return qp_poisson5_variant(variant->recipe)->order;
}

/* Returns the first method of the order that is worth it: Jacobi's own is taken only where it is
 * asked for. */
static const struct qp_poisson5_method *best_of(enum qp_poisson5_order order)
{
    const struct qp_poisson5_method *method = qp_poisson5_methods;
    while (method->name != NULL && (method->order != order || method == qp_poisson5_methods))
        method++;
    return method->name != NULL ? method : NULL;
}

bool qp_poisson_has_method(const struct qp_variant *variant)
{
    return !qp_variant_is_bound(variant) && best_of(order_of(variant)) != NULL;
}

static enum qp_status check_row(const struct qp_iteration *s, const struct qp_variant *variant)
{
    return qp_solver_check_variant(s->context, variant, &s->problem, s->poisson->target);
}

/* Words for what a variant of this order does. */
static const char *words_of(enum qp_poisson5_order order)
{
    static const char *const words[] = {"all cells at once",  "red cells and then black ones",
                                        "cells in no order",  "blocks that stand alone",
                                        "blocks in no order", "cells of blocks in no order"};
    return words[order];
}

static const char *const *names_for(const struct qp_context *context)
{
    return qp_poisson_preference(context != NULL ? qp_context_device(context)->renderer : NULL);
}

/* True for variants that carry out the method; not for those in float if double is asked for, or
 * where rounds in float would gain too little, nor for CUDA on small grids. */
static bool suits(const struct qp_iteration *s, const struct qp_variant *variant,
                  const struct qp_poisson5_method *method)
{
    const bool needs_double =
        s->poisson->in_double || qp_poisson_floor(&s->problem, false) > method->worst_floor;
    const bool too_small =
        variant->backend == QP_CUDA && qp_problem_cells(&s->problem) < worth_cuda;
    return method->order == order_of(variant) && !too_small &&
           (!needs_double || qp_poisson_is_double(variant));
}

/* Names a variant that carries out s->method here, for advice. */
static const char *row_for(const struct qp_iteration *s)
{
    const struct qp_variant *found = NULL;
    for (const char *const *name = names_for(s->context); *name != NULL; name++) {
        const struct qp_variant *variant = qp_variant_find(*name);
        if (!suits(s, variant, s->method))
            continue;
        found = variant;
        if (check_row(s, variant) == QP_OK)
            break;
    }
    return found->name; /* variants on the CPU carry out every method */
}

/* Takes the variant asked for, with the method asked for or its own. */
static enum qp_status take_row(struct qp_iteration *s, const struct qp_variant *variant)
{
    if (strcmp(variant->op, qp_op_poisson5.name) != 0)
        return qp_fail(QP_BAD_USE, "%s: is a variant of %s; Poisson's equation takes those of %s",
                       variant->name, variant->op, qp_op_poisson5.name);
    if (s->poisson->in_double && !qp_poisson_is_double(variant))
        return qp_fail(QP_BAD_USE, "%s computes in float; take a variant in double, or none",
                       variant->name);
    if (s->method == NULL)
        s->method = best_of(order_of(variant));
    if (s->method == NULL)
        return qp_fail(QP_BAD_USE, "%s updates %s, and no method is known for that", variant->name,
                       words_of(order_of(variant)));
    if (s->method->order != order_of(variant))
        return qp_fail(QP_BAD_USE, "%s updates %s, and %s updates %s; take %s, or leave one out",
                       s->method->name, words_of(s->method->order), variant->name,
                       words_of(order_of(variant)), row_for(s));
    s->out->variant = variant;
    const enum qp_status status = check_row(s, variant);
    return status == QP_OK ? QP_OK : qp_fail_within(status, "%s", variant->name);
}

/* Chooses the first variant that can take the problem and the method asked for. */
static enum qp_status choose_row(struct qp_iteration *s)
{
    enum qp_status status = QP_UNSUPPORTED;
    for (const char *const *name = names_for(s->context); *name != NULL; name++) {
        const struct qp_variant *variant = qp_variant_find(*name);
        const struct qp_poisson5_method *method =
            s->method != NULL ? s->method : best_of(order_of(variant));
        if (!suits(s, variant, method))
            continue;
        status = check_row(s, variant);
        if (status == QP_OK) {
            s->out->variant = variant;
            s->method = method;
        }
        if (status == QP_OK || qp_context_is_lost(s->context))
            return status;
    }
    return qp_fail_within(status, "no variant can take this problem");
}

/* ---- Multigrid ---- */

static const char cycles[] = "multigrid";

static bool has_cycles(const struct qp_variant *variant)
{
    return variant != NULL && strcmp(variant->op, qp_op_multigrid.name) == 0;
}

/* Seconds that Chebyshev's steps take on two cores of a desk's processor. */
static double pace_of_steps(const struct qp_iteration *s)
{
    const struct qp_poisson5_goal goal = {s->aim, 0x1p-20};
    return 3.2e-10 * (double)qp_problem_cells(&s->problem) *
           qp_poisson5_method("chebyshev")->plan(&s->problem, goal).steps;
}

bool qp_poisson_takes_cycles(const struct qp_iteration *s)
{
    const double cells = (double)qp_problem_cells(&s->problem), usual = 1.0 - log10(s->aim);
    const struct qp_poisson_desc *desc = s->poisson;
    if (desc->method != NULL || desc->variant != NULL)
        return has_cycles(desc->variant) ||
               (desc->method != NULL && strcmp(desc->method, cycles) == 0);
    return qp_pace_multigrid(s->context, cells, usual) < pace_of_steps(s);
}

enum qp_status qp_poisson_take_cycles(struct qp_iteration *s)
{
    static const char *const in_double[] = {"multigrid/openmp_double", NULL};
    const struct qp_variant *variant = s->poisson->variant;
    const char *method = s->poisson->method;
    if (method != NULL && variant != NULL && (strcmp(method, cycles) != 0 || !has_cycles(variant)))
        return qp_fail(QP_BAD_USE, "%s does not go with the method %s; leave one out",
                       variant->name, method);
    if (s->poisson->in_double && variant != NULL && !qp_poisson_is_double(variant))
        return qp_fail(QP_BAD_USE, "%s computes in float; take a variant in double, or none",
                       variant->name);
    qp_problem_destroy(&s->problem);
    const enum qp_status status = qp_multigrid_poisson(s->out->width, s->out->height, &s->problem);
    if (status != QP_OK)
        return status;
    s->rhs = qp_problem_field(&s->problem, "b");
    s->scale = s->part = 1.0;
    qp_cycles_steer(s);
    return qp_nine_bands_choose(s, s->poisson->in_double ? in_double
                                                         : qp_multigrid_preference(s->context));
}

/* ---- Methods ---- */

enum qp_status qp_poisson_choose(struct qp_iteration *s)
{
    const char *name = s->poisson->method;
    s->method = name != NULL ? qp_poisson5_method(name) : NULL;
    if (name != NULL && s->method == NULL)
        return qp_fail(QP_BAD_USE,
                       "there is no method '%s'; they are jacobi, sor, chebyshev and "
                       "multigrid",
                       name);
    return s->poisson->variant != NULL ? take_row(s, s->poisson->variant) : choose_row(s);
}

const char *qp_poisson_method(int number)
{
    const struct qp_poisson5_method *method = qp_poisson5_methods;
    int left = number;
    for (; left > 0 && method->name != NULL; left--)
        method++;
    return number < 0 ? NULL : method->name != NULL ? method->name : left == 0 ? cycles : NULL;
}
