/* SPDX-License-Identifier: MIT */
/* Shaders spoiled one fetch at a time, in a copy of the row's recipe. */
#include <quadpass/spoil.h>

#include <quadpass/walk.h>

#include <stdlib.h>
#include <string.h>

#include "base/caller.h"
#include "gl/objects.h"
#include "gl/shaders.h"
#include "plan/op.h"
#include "walk/description.h"
#include "walk/mutants.h"

/* A row whose recipe is a copy, and the shader of it that is spoiled. */
struct victim {
    qp_spoil_walk *walk;
    void *user; /* of walk */
    const struct qp_spoil_desc *desc;
    struct qp_spoil_result *out;
    struct qp_recipe recipe;
    struct qp_variant variant;
};

/* Refusals of text that is no call of a gather, such as a function's definition. */
static bool is_refused(const struct qp_result *result)
{
    return result->cause != QP_OK && strncmp(result->reason, "room 4", 6) == 0;
}

static enum qp_status spoil_text(struct victim *victim, struct qp_draw *draw, const char *text)
{
    struct qp_mutants mutants;
    enum qp_status status =
        qp_mutants_open(text, draw->kernel != NULL && draw->kernel->body != NULL, &mutants);
    while (status == QP_OK && qp_mutants_next(&mutants)) {
        struct qp_result result;
        draw->fragment_text = mutants.other;
        status = victim->walk(victim->user, &victim->variant, &result);
        if (status == QP_OK && !is_refused(&result))
            qp_mutants_count(&mutants, draw->fragment, result.verdict == QP_FAIL, result.reason,
                             victim->desc, victim->out);
    }
    qp_mutants_close(&mutants);
    return status;
}

/* ---- Rows ---- */

static enum qp_status spoil_draw(struct victim *victim, int index)
{
    struct qp_draw *draw = &victim->recipe.draw[index];
    const char *own = draw->fragment_text;
    char *read = NULL;
    enum qp_status status = own == NULL ? qp_shader_read(draw->fragment, &read) : QP_OK;
    if (status == QP_OK)
        status = spoil_text(victim, draw, own != NULL ? own : read);
    draw->fragment_text = own;
    free(read);
    return status;
}

enum qp_status qp_spoil_by(const struct qp_variant *variant, qp_spoil_walk *walk, void *user,
                           const struct qp_spoil_desc *desc, struct qp_spoil_result *out)
{
    struct victim victim = {.walk = walk,
                            .user = user,
                            .desc = desc,
                            .out = out,
                            .recipe = *variant->recipe,
                            .variant = *variant};
    enum qp_status status = QP_OK;
    victim.variant.recipe = &victim.recipe;
    for (int i = 0; i < qp_recipe_draws(variant->recipe) && status == QP_OK; i++)
        status = spoil_draw(&victim, i);
    return status;
}

/* ---- One problem ---- */

struct walks {
    struct qp_context *context;
    struct qp_problem *problem;
    int iterations;
};

static enum qp_status walk_problem(void *user, const struct qp_variant *variant,
                                   struct qp_result *out)
{
    const struct walks *walks = user;
    const struct qp_walk_desc desc = {.iterations = walks->iterations};
    return qp_walk(walks->context, variant, walks->problem, &desc, out);
}

static enum qp_status check_whole(struct walks *walks, const struct qp_variant *variant)
{
    struct qp_result result;
    const enum qp_status status = walk_problem(walks, variant, &result);
    if (status == QP_OK && result.verdict != QP_PASS)
        return qp_fail(QP_BAD_USE, "%s must pass before it is spoiled: %s", variant->name,
                       result.reason);
    return status;
}

enum qp_status qp_spoil(struct qp_context *context, const struct qp_variant *variant,
                        struct qp_problem *problem, const struct qp_spoil_desc *desc,
                        struct qp_spoil_result *out)
{
    static const struct qp_spoil_desc usual;
    if (QP_NEED(out))
        return QP_BAD_USE;
    *out = (struct qp_spoil_result){0};
    if (QP_NEED(context) || qp_context_check(context) || QP_NEED(variant) || QP_NEED(problem))
        return QP_BAD_USE;
    desc = desc != NULL ? desc : &usual;
    enum qp_status status =
        qp_check_walk(variant, problem, &(struct qp_walk_desc){.iterations = desc->iterations});
    if (status != QP_OK)
        return status;
    if (variant->recipe->draw[0].fragment == NULL ||
        (variant->recipe->engine != NULL && variant->recipe->draw[0].fragment_text == NULL))
        return qp_fail(QP_BAD_USE, "%s draws by no fragment shader of its own", variant->name);
    struct walks walks = {context, problem, desc->iterations > 0 ? desc->iterations : 1};
    status = check_whole(&walks, variant);
    return status == QP_OK ? qp_spoil_by(variant, walk_problem, &walks, desc, out) : status;
}
