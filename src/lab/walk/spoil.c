/* SPDX-License-Identifier: MIT */
/* Shaders spoiled one read or one word at a time, in a copy of the variant's recipe. */
#include "lab/walk/changed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/walk/description.h"
#include "toolkit/base/caller.h"
#include "toolkit/base/whole.h"
#include "toolkit/gl/objects.h"
#include "toolkit/gl/shaders.h"
#include "toolkit/glsl/changes.h"

/* A variant whose recipe is a copy, and the shader of it that is spoiled. */
struct victim {
    qp_spoil_walk *walk;
    void *user; /* argument of walk */
    const struct qp_spoil_desc *desc;
    struct qp_spoil_result *out;
    struct qp_recipe recipe;
    struct qp_variant variant;
};

/* ---- Variants that are changed ---- */

bool qp_changed_is_refused(const struct qp_result *result)
{
    return result->failed == QP_STAGE_PROGRAM;
}

bool qp_changed_is_body(const struct qp_draw *draw)
{
    return draw->kernel != NULL && draw->kernel->body != NULL;
}

enum qp_status qp_changed_text(const struct qp_draw *draw, char **out)
{
    if (draw->fragment_text == NULL)
        return qp_shader_read(draw->fragment, out);
    *out = qp_copy_text(draw->fragment_text, "a shader's text");
    return *out != NULL ? QP_OK : QP_NO_MEMORY;
}

enum qp_status qp_changed_check(struct qp_context *context, const struct qp_variant *variant,
                                struct qp_problem *problem, int iterations, const char *changed)
{
    struct qp_walk_desc desc = {.iterations = iterations};
    struct qp_result result;
    enum qp_status status = qp_check_walk(variant, problem, &desc);
    if (status != QP_OK)
        return status;
    if (variant->recipe->draw[0].fragment == NULL ||
        (variant->recipe->engine != NULL && variant->recipe->draw[0].fragment_text == NULL))
        return qp_fail(QP_BAD_USE, "%s draws by no fragment shader of its own", variant->name);
    desc.iterations = qp_most(iterations, 1);
    status = qp_walk(context, variant, problem, &desc, &result);
    if (status == QP_OK && result.cause == QP_DEVICE)
        return qp_fail(QP_DEVICE, "%s", result.reason);
    if (status == QP_OK && result.verdict != QP_PASS)
        return qp_fail(QP_BAD_USE, "%s must pass before it is %s: %s", variant->name, changed,
                       result.reason);
    return status;
}

/* ---- Mutants ---- */

const char *qp_mutant_name(int mutant)
{
    static const char *const names[QP_MUTANTS] = {[QP_MUTANT_READ] = "reads",
                                                  [QP_MUTANT_INDEX] = "indices",
                                                  [QP_MUTANT_SIGN] = "signs",
                                                  [QP_MUTANT_OPERAND] = "operands",
                                                  [QP_MUTANT_COMPARISON] = "comparisons",
                                                  [QP_MUTANT_CONSTANT] = "constants"};
    return mutant >= 0 && mutant < QP_MUTANTS ? names[mutant] : NULL;
}

/* Counts the mutant, says so, and keeps the sentence about the first that nothing noticed. The text
 * of the mutant has been walked, and is cut into what was there and what is there now. */
static enum qp_status count(const struct victim *victim, struct qp_changes *c,
                            const struct qp_draw *draw, const struct qp_result *result)
{
    struct qp_spoil_result *out = victim->out;
    char file[QP_PLACE_LETTERS], *text = qp_copy_text(c->other, "a mutant");
    const enum qp_mutant kind = qp_mutants.of[c->kind].kind;
    struct qp_spoiled mutant = {.shader = file,
                                .noticed = result->verdict == QP_FAIL,
                                .reason = result->reason,
                                .kind = kind,
                                .draw = (int)(draw - victim->recipe.draw),
                                .text = text};
    if (text == NULL)
        return QP_NO_MEMORY;
    mutant.line = qp_tokens_line(c->tokens, draw->fragment, qp_change_line(c), file);
    qp_changes_cut(c, &mutant.was, &mutant.is);
    out->made++;
    out->noticed += mutant.noticed;
    out->kind[kind].made++;
    out->kind[kind].noticed += mutant.noticed;
    if (!mutant.noticed && out->survivor[0] == '\0')
        snprintf(out->survivor, sizeof out->survivor,
                 "%.128s:%d: nothing notices '%.160s' in place of '%.160s'", file, mutant.line,
                 mutant.is, mutant.was);
    if (victim->desc->on_mutant != NULL)
        victim->desc->on_mutant(victim->desc->user, &mutant);
    free(text);
    return QP_OK;
}

static enum qp_status spoil_draw(struct victim *victim, struct qp_draw *draw)
{
    const unsigned kinds = victim->desc->kinds;
    const char *own = draw->fragment_text;
    char *text = NULL;
    struct qp_changes c = {.text = NULL};
    enum qp_status status = qp_changed_text(draw, &text);
    if (status == QP_OK)
        status =
            qp_changes_open(text, qp_changed_is_body(draw) ? draw->kernel : NULL, &qp_mutants, &c);
    c.kinds = kinds != 0 ? kinds : 1u << QP_MUTANT_READ;
    while (status == QP_OK && qp_changes_next(&c)) {
        struct qp_result result;
        draw->fragment_text = c.other;
        status = victim->walk(victim->user, &victim->variant, &result);
        if (status == QP_OK && !qp_changed_is_refused(&result))
            status = count(victim, &c, draw, &result);
    }
    draw->fragment_text = own;
    qp_changes_close(&c);
    free(text);
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
        status = spoil_draw(&victim, &victim.recipe.draw[i]);
    return status;
}

/* ---- A problem ---- */

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
    if ((desc->kinds & ~(unsigned)QP_MUTANTS_ALL) != 0)
        return qp_fail(QP_BAD_USE, "bits 0x%x of kinds are none of a mutant; see enum qp_mutant",
                       desc->kinds & ~(unsigned)QP_MUTANTS_ALL);
    struct walks walks = {context, problem, qp_most(desc->iterations, 1)};
    const enum qp_status status =
        qp_changed_check(context, variant, problem, desc->iterations, "spoiled");
    return status == QP_OK ? qp_spoil_by(variant, walk_problem, &walks, desc, out) : status;
}
