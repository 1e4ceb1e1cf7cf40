/* SPDX-License-Identifier: MIT */
/* Public entries of solves: checks of the caller's arguments before anything is computed. */
#include <quadpass/method.h>

#include <math.h>

#include "gl/call.h"
#include "io/market.h"
#include "solve/regular.h"
#include "solve/solving.h"
#include "walk/description.h"

static const struct qp_solve_desc default_solve;
static const struct qp_dense_desc default_dense;

static enum qp_status check_solve(const struct qp_solve_desc *desc)
{
    const struct qp_style style = {.pingpong = desc->pingpong, .target = desc->target};
    enum qp_status status = qp_check_steps(desc->most_steps);
    if (status == QP_OK)
        status = qp_check_style(&style);
    if (status == QP_OK && (desc->width != 0 || desc->height != 0) &&
        (desc->width < 1 || desc->height < 1))
        return qp_fail(QP_BAD_USE,
                       "a grid of %d x %d is none; give both, or 0 x 0 to have it found",
                       desc->width, desc->height);
    return status;
}

static enum qp_status check_dense(const struct qp_dense_desc *desc)
{
    const struct qp_style style = {.pingpong = desc->pingpong, .target = desc->target};
    return qp_check_style(&style);
}

enum qp_status qp_solve(struct qp_context *context, const struct qp_market *matrix, const double *b,
                        const double *start, const struct qp_solve_desc *desc,
                        struct qp_solution *out)
{
    struct qp_call call;
    bool regular;
    if (QP_NEED(out))
        return QP_BAD_USE;
    *out = (struct qp_solution){0};
    if (QP_NEED(matrix))
        return QP_BAD_USE;
    desc = desc != NULL ? desc : &default_solve;
    enum qp_status status = qp_call_begin(&call);
    if (status == QP_OK)
        status = check_solve(desc);
    if (status == QP_OK)
        status = qp_market_check(matrix);
    if (status == QP_OK)
        status = qp_look_whether_regular(matrix, &regular);
    if (status == QP_OK)
        status = qp_iterate(context, matrix, b, start, desc, NULL, NULL, out);
    qp_call_end(&call);
    return status;
}

static enum qp_status eliminate(struct qp_context *context, const struct qp_market *matrix,
                                const double *b, int sides, bool identity,
                                const struct qp_dense_desc *desc, struct qp_dense_solution *out)
{
    struct qp_call call;
    desc = desc != NULL ? desc : &default_dense;
    enum qp_status status = qp_call_begin(&call);
    if (status == QP_OK)
        status = check_dense(desc);
    if (status == QP_OK)
        status = qp_eliminate(context, matrix, b, sides, identity, desc, out);
    qp_call_end(&call);
    return status;
}

enum qp_status qp_solve_dense(struct qp_context *context, const struct qp_market *matrix,
                              const double *b, int sides, const struct qp_dense_desc *desc,
                              struct qp_dense_solution *out)
{
    if (QP_NEED(out))
        return QP_BAD_USE;
    *out = (struct qp_dense_solution){0};
    if (QP_NEED(matrix))
        return QP_BAD_USE;
    return eliminate(context, matrix, b, sides, false, desc, out);
}

enum qp_status qp_invert(struct qp_context *context, const struct qp_market *matrix,
                         const struct qp_dense_desc *desc, struct qp_dense_solution *out)
{
    if (QP_NEED(out))
        return QP_BAD_USE;
    *out = (struct qp_dense_solution){0};
    if (QP_NEED(matrix))
        return QP_BAD_USE;
    return eliminate(context, matrix, NULL, matrix->rows, true, desc, out);
}

/* Checks the start here, since elimination does not read it. */
static enum qp_status check_start(const struct qp_market *matrix, int sides, const double *start)
{
    const size_t rows = (size_t)matrix->rows;
    for (size_t k = 0; start != NULL && k < rows * (size_t)sides; k++) {
        if (!isfinite(start[k]))
            return qp_fail(
                QP_BAD_INPUT,
                "the start of right-hand side %zu holds %g in row %zu, where only finite "
                "numbers can be computed with",
                k / rows + 1, start[k], k % rows + 1);
    }
    return QP_OK;
}

static enum qp_status check_system(const struct qp_market *matrix, const double *b, int sides,
                                   const double *start, const struct qp_solve_desc *desc)
{
    enum qp_status status = check_solve(desc);
    if (status == QP_OK)
        status = qp_market_check(matrix);
    if (status == QP_OK && (sides < 1 || (b == NULL && sides > 1)))
        return qp_fail(QP_BAD_USE, "%d right-hand sides%s; without b there is one", sides,
                       b == NULL ? " and no b" : "");
    return status == QP_OK ? check_start(matrix, sides, start) : status;
}

enum qp_status qp_solve_system(struct qp_context *context, const struct qp_market *matrix,
                               const double *b, int sides, const double *start,
                               const struct qp_solve_desc *desc, struct qp_answer *out)
{
    struct qp_call call;
    if (QP_NEED(out))
        return QP_BAD_USE;
    *out = (struct qp_answer){0};
    if (QP_NEED(matrix))
        return QP_BAD_USE;
    desc = desc != NULL ? desc : &default_solve;
    enum qp_status status = qp_call_begin(&call);
    if (status == QP_OK)
        status = check_system(matrix, b, sides, start, desc);
    if (status == QP_OK)
        status = qp_choose_method(context, matrix, b, sides, start, desc, out);
    qp_call_end(&call);
    return status;
}
