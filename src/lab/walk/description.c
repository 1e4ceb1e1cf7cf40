/* SPDX-License-Identifier: MIT */
/* Names of the enums in a walk's description, and checks of its numbers. */
#include "lab/walk/description.h"

#include <math.h>

#include "lab/plan/problem.h"
#include "toolkit/base/caller.h"

const char *qp_stage_name(enum qp_stage stage)
{
    static const char *const names[] = {"none",    "problem",   "pack",   "upload",
                                        "program", "pass",      "swap",   "readback",
                                        "unpack",  "reference", "compare"};
    return QP_NAME(names, stage);
}

const char *qp_verdict_name(enum qp_verdict verdict)
{
    static const char *const names[QP_VERDICTS] = {"none",  "pass",      "fail",       "skip",
                                                   "bound", "unchecked", "cannot tell"};
    return QP_NAME(names, verdict);
}

const char *qp_pingpong_name(enum qp_pingpong_style style)
{
    static const char *const names[QP_PINGPONG_STYLES] = {"two_attachments", "two_fbos", "reattach",
                                                          "copy"};
    return QP_NAME(names, style);
}

const char *qp_target_name(enum qp_texture_target target)
{
    static const char *const names[QP_TEXTURE_TARGETS] = {"rect", "2d"};
    return QP_NAME(names, target);
}

static enum qp_status check_parts(const struct qp_parts_desc *parts)
{
    if (parts->count < 0)
        return qp_fail(QP_BAD_USE, "a grid cannot be cut into %d parts; 0 means the default",
                       parts->count);
    if (parts->depth < 0)
        return qp_fail(QP_BAD_USE,
                       "there are no %d steps between exchanges; 0 means the variant's "
                       "own choice",
                       parts->depth);
    if (parts->slow < 0)
        return qp_fail(QP_BAD_USE, "a part cannot take a step %d times; 0 means once", parts->slow);
    return QP_OK;
}

enum qp_status qp_check_style(const struct qp_style *style)
{
    enum { MOST_INVOCATIONS = 1024 };
    if ((int)style->pingpong < 0 || style->pingpong >= QP_PINGPONG_STYLES)
        return qp_fail(QP_BAD_USE, "there is no ping-pong style %d", (int)style->pingpong);
    if ((int)style->target < 0 || style->target >= QP_TEXTURE_TARGETS)
        return qp_fail(QP_BAD_USE, "there is no texture target %d", (int)style->target);
    if (style->block < 0)
        return qp_fail(QP_BAD_USE, "a block of %d is none; 0 means the default", style->block);
    const bool by_itself = style->group_x == 0 && style->group_y == 0;
    const bool given = style->group_x > 0 && style->group_y > 0 &&
                       (long)style->group_x * style->group_y <= MOST_INVOCATIONS;
    if (!by_itself && !given)
        return qp_fail(
            QP_BAD_USE,
            "a group of %d x %d invocations cannot be: each at least 1, together at most "
            "%d, or 0 x 0 for the fastest",
            style->group_x, style->group_y, MOST_INVOCATIONS);
    return check_parts(&style->parts);
}

enum qp_status qp_check_steps(int iterations)
{
    return iterations >= 0 ? QP_OK : qp_fail(QP_BAD_USE, "%d steps cannot be taken", iterations);
}

enum qp_status qp_check_ways(int steps, const struct qp_style *style,
                             const struct qp_variant *variant)
{
    if (qp_check_steps(steps) != QP_OK || qp_check_style(style) != QP_OK)
        return QP_BAD_USE;
    return variant != NULL ? qp_variant_check(variant) : QP_OK;
}

static enum qp_status check_weights(const struct qp_weights *weights)
{
    if (weights->value == NULL || weights->count < 1)
        return qp_fail(QP_BAD_USE, "a list of %d weights%s is none; leave `weights` NULL",
                       weights->count, weights->value == NULL ? " at NULL" : "");
    for (int i = 0; i < weights->count; i++) {
        if (!isfinite(weights->value[i]))
            return qp_fail(QP_BAD_USE, "weight %d of %d is %g, and no step can be taken with it",
                           i + 1, weights->count, weights->value[i]);
    }
    return QP_OK;
}

enum qp_status qp_check_problem(const struct qp_variant *variant, const struct qp_problem *problem)
{
    if (problem != NULL && problem->op != NULL)
        return QP_OK;
    return qp_fail(QP_BAD_USE, "%s has no problem to walk through: none was made", variant->name);
}

enum qp_status qp_check_walk(const struct qp_variant *variant, const struct qp_problem *problem,
                             const struct qp_walk_desc *desc)
{
    enum { MOST_WARM = 3600 };
    const struct qp_style style = {.pingpong = desc->pingpong,
                                   .target = desc->target,
                                   .group_x = desc->group_x,
                                   .group_y = desc->group_y,
                                   .block = desc->block,
                                   .parts = desc->parts};
    if (qp_variant_check(variant) != QP_OK)
        return QP_BAD_USE;
    if (qp_check_problem(variant, problem) != QP_OK)
        return QP_BAD_USE;
    if (problem->op->step == NULL && !desc->unchecked)
        return qp_fail(QP_BAD_USE,
                       "%s has no reference, and nothing judges %s; leave stages 9 and 10 out",
                       problem->op->name, variant->name);
    if (qp_check_steps(desc->iterations) != QP_OK ||
        (desc->weights != NULL && check_weights(desc->weights) != QP_OK))
        return QP_BAD_USE;
    if (!(desc->warm_seconds >= 0.0 && desc->warm_seconds <= MOST_WARM))
        return qp_fail(QP_BAD_USE, "a warm-up of %g seconds is not from 0 to %d",
                       desc->warm_seconds, MOST_WARM);
    if (desc->every < 0)
        return qp_fail(QP_BAD_USE, "nothing can be called every %d steps; 0 means never",
                       desc->every);
    if (desc->on_distance != NULL && desc->wanted == NULL)
        return qp_fail(QP_BAD_USE, "there is nothing to measure distances from: `wanted` is NULL");
    if (desc->first < 0 || desc->first > desc->iterations)
        return qp_fail(QP_BAD_USE, "a walk of %d steps cannot go on after %d", desc->iterations,
                       desc->first);
    if (desc->first > 0 && !desc->unchecked)
        return qp_fail(QP_BAD_USE,
                       "a walk that goes on after %d steps has no reference; leave "
                       "stages 9 and 10 out",
                       desc->first);
    return qp_check_style(&style);
}
