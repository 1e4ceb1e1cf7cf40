/* SPDX-License-Identifier: MIT */
/* Public entries of solves: checks of the caller's arguments before anything is computed. */
#include <quadpass/method.h>

#include <math.h>

#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/solve/choose/choice.h"
#include "lab/solve/eliminate/elimination.h"
#include "lab/solve/iterate/iteration.h"
#include "lab/solve/regular.h"
#include "lab/walk/description.h"
#include "toolkit/gl/call.h"
#include "toolkit/io/market.h"

static const struct qp_solve_desc default_solve;
static const struct qp_dense_desc default_dense;

static enum qp_status check_solve(const struct qp_solve_desc *desc)
{
    const struct qp_style style = {
        .pingpong = desc->pingpong, .target = desc->target, .parts = desc->parts};
    enum qp_status status = qp_check_ways(desc->most_steps, &style, desc->variant);
    if (status == QP_OK)
        status = qp_check_method(desc);
    if (status == QP_OK && (desc->width != 0 || desc->height != 0) &&
        (desc->width < 1 || desc->height < 1))
        return qp_fail(QP_BAD_USE,
                       "a grid of %d x %d is none; give both, or 0 x 0 to have it found",
                       desc->width, desc->height);
    return status;
}

/* ---- Checkpoints ---- */

/* Adds a number that is chosen where it is 0. */
static void add_asked(struct qp_checkpoint *c, const char *name, double value)
{
    if (value == 0.0)
        qp_checkpoint_add_text(c, name, "chosen");
    else
        qp_checkpoint_add_number(c, name, value);
}

/* Opens checkpoints. With `iterates` facts include what only iterations have: a start, a weight, a
 * number of steps, a grid. */
static enum qp_status open_solve(const struct qp_market *matrix, const double *b, int sides,
                                 const double *start, const struct qp_solve_desc *desc,
                                 const char *operation, bool iterates, struct qp_checkpoint *c)
{
    const size_t count = (size_t)sides * (size_t)matrix->rows;
    enum qp_status status =
        qp_checkpoint_make(desc->checkpoint, desc->every, desc->resume, desc->interrupt, c);
    if (status != QP_OK || !qp_checkpoint_is_wanted(c))
        return status;
    qp_checkpoint_add_text(c, "operation", operation);
    qp_checkpoint_add_matrix(c, matrix);
    qp_checkpoint_add_number(c, "number of right-hand sides", sides);
    qp_checkpoint_add_values(c, "right-hand side", b, count);
    if (iterates)
        qp_checkpoint_add_values(c, "start", start, count);
    qp_checkpoint_add_text(c, "variant",
                           desc->variant != NULL ? desc->variant->name : "none by name");
    if (desc->method != NULL)
        qp_checkpoint_add_text(c, "method", desc->method);
    if (desc->precondition != NULL)
        qp_checkpoint_add_text(c, "preconditioner", desc->precondition);
    if (desc->direct != NULL)
        qp_checkpoint_add_text(c, "direct solver", desc->direct->name);
    qp_checkpoint_add_number(c, "tolerance", desc->tolerance > 0.0 ? desc->tolerance : 1e-5);
    qp_checkpoint_add_text(c, "refinement", desc->refine ? "on" : "off");
    if (iterates) {
        add_asked(c, "weight", desc->weight);
        add_asked(c, "largest number of steps", desc->most_steps);
        add_asked(c, "width of the grid", desc->width);
        add_asked(c, "height of the grid", desc->height);
    }
    qp_checkpoint_add_style(c, desc->pingpong, desc->target);
    return qp_checkpoint_open(c);
}

/* ---- Entries ---- */

enum qp_status qp_solve(struct qp_context *context, const struct qp_market *matrix, const double *b,
                        const double *start, const struct qp_solve_desc *desc,
                        struct qp_solution *out)
{
    struct qp_call call;
    struct qp_checkpoint checkpoint = {0};
    struct qp_krylov_system system = {0};
    char singular[QP_WHY_SINGULAR] = "";
    bool regular;
    int digits;
    if (QP_NEED_OUT(out, (struct qp_solution){0}) || QP_NEED(matrix))
        return QP_BAD_USE;
    desc = desc != NULL ? desc : &default_solve;
    enum qp_status status = qp_call_begin(&call, context);
    if (status == QP_OK)
        status = check_solve(desc);
    if (status == QP_OK && qp_asks_for_direct(desc))
        status = qp_fail(QP_BAD_USE, "qp_solve iterates; the method direct is qp_solve_system's");
    if (status == QP_OK)
        status = qp_market_check(matrix);
    if (status == QP_OK)
        status = qp_look_whether_regular(matrix, &regular);
    if (status == QP_OK || qp_may_be_singular(desc, status, singular))
        status = open_solve(matrix, b, 1, start, desc, "iteration", true, &checkpoint);
    const bool krylov = qp_asks_for_krylov(desc);
    if (status == QP_OK && krylov)
        status = qp_krylov_system_make(matrix, &system);
    if (status == QP_OK && krylov)
        status = qp_krylov_choose(desc, QP_KRYLOV_BICGSTAB, &system);
    if (status == QP_OK)
        status = qp_iterate(context, matrix, krylov ? &system : NULL, b, start, desc, NULL, NULL,
                            &checkpoint, out, &digits);
    qp_krylov_system_destroy(&system);
    if (status == QP_OK && singular[0] != '\0')
        status = qp_end_singular(singular, out->ending, out->residual, out->method, out->sentence,
                                 sizeof out->sentence);
    if (status != QP_OK)
        qp_solution_destroy(out);
    if (status == QP_OK)
        qp_checkpoint_tell(&checkpoint, out->variant, out->sentence, sizeof out->sentence);
    qp_checkpoint_close(&checkpoint);
    return qp_call_end(&call, status);
}

/* Checks of elimination that come first, before a hash reads the values. */
static enum qp_status check_dense_system(const struct qp_market *matrix, const double *b, int sides,
                                         bool identity)
{
    const enum qp_status status = qp_dense_check(matrix);
    return status == QP_OK ? qp_dense_check_sides(matrix, b, identity ? 1 : sides) : status;
}

static enum qp_status eliminate(struct qp_context *context, const struct qp_market *matrix,
                                const double *b, int sides, bool identity,
                                const struct qp_dense_desc *desc, struct qp_dense_solution *out)
{
    struct qp_call call;
    struct qp_checkpoint checkpoint = {0};
    desc = desc != NULL ? desc : &default_dense;
    const struct qp_solve_desc ways = {.variant = desc->variant,
                                       .tolerance = desc->tolerance,
                                       .refine = desc->refine,
                                       .pingpong = desc->pingpong,
                                       .target = desc->target,
                                       .interrupt = desc->interrupt,
                                       .checkpoint = desc->checkpoint,
                                       .every = desc->every,
                                       .resume = desc->resume};
    enum qp_status status = qp_call_begin(&call, context);
    if (status == QP_OK)
        status = check_solve(&ways);
    if (status == QP_OK && (desc->checkpoint != NULL || desc->resume != NULL))
        status = check_dense_system(matrix, b, sides, identity);
    if (status == QP_OK)
        status = open_solve(matrix, b, sides, NULL, &ways, identity ? "inversion" : "elimination",
                            false, &checkpoint);
    if (status == QP_OK)
        status = qp_eliminate(context, matrix, b, sides, identity, 0.0, &ways, &checkpoint, out);
    if (status == QP_OK)
        qp_checkpoint_tell(&checkpoint, out->variant, out->sentence, sizeof out->sentence);
    qp_checkpoint_close(&checkpoint);
    return qp_call_end(&call, status);
}

enum qp_status qp_solve_dense(struct qp_context *context, const struct qp_market *matrix,
                              const double *b, int sides, const struct qp_dense_desc *desc,
                              struct qp_dense_solution *out)
{
    if (QP_NEED_OUT(out, (struct qp_dense_solution){0}) || QP_NEED(matrix))
        return QP_BAD_USE;
    return eliminate(context, matrix, b, sides, false, desc, out);
}

enum qp_status qp_invert(struct qp_context *context, const struct qp_market *matrix,
                         const struct qp_dense_desc *desc, struct qp_dense_solution *out)
{
    if (QP_NEED_OUT(out, (struct qp_dense_solution){0}) || QP_NEED(matrix))
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
    struct qp_checkpoint checkpoint = {0};
    if (QP_NEED_OUT(out, (struct qp_answer){0}) || QP_NEED(matrix))
        return QP_BAD_USE;
    desc = desc != NULL ? desc : &default_solve;
    enum qp_status status = qp_call_begin(&call, context);
    if (status == QP_OK)
        status = check_system(matrix, b, sides, start, desc);
    if (status == QP_OK)
        status = open_solve(matrix, b, sides, start, desc, "choice of a method", true, &checkpoint);
    if (status == QP_OK)
        status = qp_choose_method(context, matrix, b, sides, start, desc, &checkpoint, out);
    for (int k = 0; status == QP_OK && k < out->begun; k++)
        qp_checkpoint_tell(&checkpoint, out->side[k].variant, out->side[k].sentence,
                           sizeof out->side[k].sentence);
    qp_checkpoint_close(&checkpoint);
    return qp_call_end(&call, status);
}
