/* SPDX-License-Identifier: MIT */
/* Choice of the variant that eliminates. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/solve/eliminate/elimination.h"
#include "lab/solve/solvers.h"

/* Checks a variant before anything is allocated, with a problem of the right sizes whose elements
 * are all the largest one, as it will be scaled. */
enum qp_status qp_dense_check_variant(const struct qp_dense *s, const struct qp_variant *variant)
{
    const int rows = s->matrix->rows, width = rows + (int)s->sides;
    float largest = 1.0f;
    struct qp_problem sizes = {
        .op = &qp_op_gauss_jordan,
        .kind = "file",
        .width = width,
        .height = rows,
        .answer_width = width,
        .answer_height = rows,
        .systems = qp_variant_systems(variant),
        .field = {[QP_GAUSS_JORDAN_AUGMENTED] = {.width = 1, .height = 1, .values = &largest}}};
    return qp_solver_check_variant(s->context, variant, &sizes, s->desc->target);
}

/* Chooses the first variant of the list from this name on that takes the problem. The reason of
 * variants with draws is kept, for the sentence that says why the processor was taken. */
static enum qp_status choose_from(struct qp_dense *s, const char *const *name)
{
    enum qp_status status = QP_UNSUPPORTED;
    for (; *name != NULL; name++) {
        s->out->variant = qp_variant_find(*name);
        status = qp_dense_check_variant(s, s->out->variant);
        if (status == QP_OK || qp_context_is_lost(s->context))
            return status;
        if (qp_variant_draws(s->out->variant))
            snprintf(s->obstacle, sizeof s->obstacle, "%s", qp_error());
    }
    return qp_fail_within(status, "no variant can take this problem");
}

/* Refuses more than the 2^29 elements of [A | B] that stage 1 takes, whatever the variant. */
static enum qp_status check_size(const struct qp_dense *s)
{
    const double most = 1 << 29, rows = s->matrix->rows, sides = (double)s->sides;
    if (rows * (rows + sides) <= most)
        return QP_OK;
    const double unknowns =
        s->identity ? sqrt(most / 2.0) : 0.5 * (sqrt(sides * sides + 4.0 * most) - sides);
    return qp_fail(QP_UNSUPPORTED,
                   "%d unknowns are too many for elimination: the limit is about %.0f; iterations "
                   "take more (--method bicgstab)",
                   s->matrix->rows, unknowns);
}

enum qp_status qp_dense_choose_variant(struct qp_dense *s)
{
    enum qp_status size = check_size(s);
    if (size != QP_OK)
        return size;
    if (s->desc->variant == NULL)
        return choose_from(s, qp_dense_preference(s->context));
    s->out->variant = s->desc->variant;
    enum qp_status status = qp_dense_check_variant(s, s->desc->variant);
    return status == QP_OK ? QP_OK : qp_fail_within(status, "%s", s->desc->variant->name);
}

enum qp_status qp_dense_choose_next(struct qp_dense *s)
{
    const char *const *name = qp_dense_preference(s->context);
    snprintf(s->obstacle, sizeof s->obstacle, "%s", qp_error());
    while (strcmp(*name++, s->out->variant->name) != 0)
        ;
    return choose_from(s, name);
}
