/* SPDX-License-Identifier: MIT */
/* Shaders disguised one place at a time, in a copy of the variant's recipe: other texts that must
 * give the same numbers. */
#include "lab/walk/changed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/plan/problem.h"
#include "toolkit/base/caller.h"
#include "toolkit/base/values.h"
#include "toolkit/base/whole.h"
#include "toolkit/gl/objects.h"
#include "toolkit/glsl/changes.h"
#include "toolkit/kernel/kernel.h"

/* Ways to compute floats: as the text says, or as the driver likes. */
enum { PRECISE, FREE, WAYS };

/* A variant whose recipe is a copy, and the numbers that it gives. */
struct masked {
    struct qp_context *context;
    struct qp_problem *problem;
    int iterations;
    /* Way by which the numbers must be the same: FREE where the driver takes no precise shaders. */
    int first;
    bool exact; /* bit for bit; else the reference judges them */
    struct qp_disguise_result *out;
    struct qp_recipe recipe;
    struct qp_variant variant;
    char *text[WAYS][QP_DRAWS]; /* texts of its draws; PRECISE: NULL for a body */
    struct qp_matrix wanted[WAYS];
};

/* ---- Texts ---- */

static bool is_fragment(const struct qp_draw *draw)
{
    return draw->fragment != NULL &&
           (draw->kernel == NULL || !qp_kernel_has(&draw->kernel->compute));
}

/* Makes the text that draws in this way of what a shader says; *out is NULL where it is the
 * same. */
static enum qp_status make_text(const struct qp_draw *draw, int way, const char *text, char **out)
{
    *out = NULL;
    return way == PRECISE && !qp_changed_is_body(draw) ? qp_precise_text(text, true, out) : QP_OK;
}

static enum qp_status read_texts(struct masked *m)
{
    enum qp_status status = QP_OK;
    for (int i = 0; i < qp_recipe_draws(&m->recipe) && status == QP_OK; i++) {
        const struct qp_draw *draw = &m->recipe.draw[i];
        if (is_fragment(draw))
            status = qp_changed_text(draw, &m->text[FREE][i]);
        if (m->text[FREE][i] != NULL)
            status = make_text(draw, PRECISE, m->text[FREE][i], &m->text[PRECISE][i]);
    }
    return status;
}

static void set_texts(struct masked *m, int way)
{
    for (int i = 0; i < QP_DRAWS; i++) {
        if (m->text[FREE][i] != NULL)
            m->recipe.draw[i].fragment_text = m->text[m->text[way][i] != NULL ? way : FREE][i];
        m->recipe.draw[i].precise = way == PRECISE;
        m->recipe.draw[i].free = way == FREE;
    }
}

/* ---- Numbers ---- */

/* A walk without numbers is an error, unless a shader of it is refused. */
static enum qp_status walk(const struct masked *m, bool judged, struct qp_result *out)
{
    const struct qp_walk_desc desc = {
        .iterations = m->iterations, .unchecked = !judged, .keep_solution = true};
    const enum qp_status status = qp_walk(m->context, &m->variant, m->problem, &desc, out);
    if (status != QP_OK || out->cause == QP_OK || qp_changed_is_refused(out))
        return status;
    return qp_fail(out->cause, "%s", out->reason);
}

/* The first value that differs in a bit, where not both are NaN; -1: there is none. */
static ptrdiff_t find_difference(const struct qp_matrix *a, const struct qp_matrix *b)
{
    const ptrdiff_t count = (ptrdiff_t)a->width * a->height;
    ptrdiff_t i = 0;
    for (; i < count; i++) {
        const double x = qp_matrix_value(a, (size_t)i), y = qp_matrix_value(b, (size_t)i);
        if (memcmp(&x, &y, sizeof x) != 0 && !(isnan(x) && isnan(y)))
            break;
    }
    return i < count ? i : -1;
}

static enum qp_status find_numbers(struct masked *m, int way, struct qp_result *out)
{
    set_texts(m, way);
    const enum qp_status status = walk(m, false, out);
    m->wanted[way] = out->solution;
    return status;
}

/* Finds the numbers of the precise variant, twice. */
static enum qp_status find_precise_numbers(struct masked *m)
{
    struct qp_result result, again;
    enum qp_status status = find_numbers(m, PRECISE, &result);
    if (status == QP_OK && qp_changed_is_refused(&result)) {
        m->first = FREE;
        m->exact = false;
    }
    if (status != QP_OK || !m->exact)
        return status;
    status = walk(m, false, &again);
    if (status == QP_OK && find_difference(&result.solution, &again.solution) >= 0)
        status =
            qp_fail(QP_UNSUPPORTED, "%s gives other numbers each time, as variants that race do",
                    m->variant.name);
    qp_matrix_destroy(&again.solution);
    return status;
}

/* ---- Disguises ---- */

/* Keeps the first sentence of its kind. */
static void note(const struct masked *m, const struct qp_changes *d, int draw, int way,
                 const struct qp_result *result, ptrdiff_t at, char sentence[512])
{
    const struct qp_matrix *wanted = &m->wanted[way];
    if (sentence[0] != '\0')
        return;
    char file[QP_PLACE_LETTERS];
    const int line =
        qp_tokens_line(d->tokens, m->recipe.draw[draw].fragment, qp_change_line(d), file);
    const int used = snprintf(sentence, 512, "%.128s:%d: %s it gives other numbers: ", file, line,
                              d->ways->of[d->kind].words);
    if (at < 0)
        snprintf(sentence + used, 512 - (size_t)used, "%.256s", result->reason);
    else
        snprintf(sentence + used, 512 - (size_t)used, "%.9g and not %.9g in cell (%d, %d)",
                 qp_matrix_value(&result->solution, (size_t)at),
                 qp_matrix_value(wanted, (size_t)at), (int)(at % wanted->width),
                 (int)(at / wanted->width));
}

/* Walks a disguise of a draw precise and free. One that does not compile is none. */
static enum qp_status check_disguise(struct masked *m, int draw, const struct qp_changes *d)
{
    enum qp_status status = QP_OK;
    for (int way = m->first; way < WAYS && status == QP_OK; way++) {
        const bool judged = way == m->first && !m->exact;
        struct qp_result result = {.verdict = QP_PASS};
        char *text;
        set_texts(m, way);
        status = make_text(&m->recipe.draw[draw], way, d->other, &text);
        m->recipe.draw[draw].fragment_text = text != NULL ? text : d->other;
        if (status == QP_OK)
            status = walk(m, judged, &result);
        free(text);
        const bool refused = qp_changed_is_refused(&result);
        const ptrdiff_t at = refused || status != QP_OK || (judged && result.verdict == QP_PASS)
                                 ? -1
                                 : find_difference(&m->wanted[way], &result.solution);
        if (way == m->first)
            m->out->made += status == QP_OK && !refused;
        if (way == m->first && !refused && (at >= 0 || result.verdict != QP_PASS))
            note(m, d, draw, way, &result, judged ? -1 : at, m->out->difference);
        else if (at >= 0 && m->out->leaning++ == 0)
            note(m, d, draw, way, &result, at, m->out->remark);
        qp_matrix_destroy(&result.solution);
        if (refused || at >= 0)
            break;
    }
    return status;
}

static enum qp_status check_draw(struct masked *m, int i)
{
    const struct qp_draw *draw = &m->recipe.draw[i];
    struct qp_changes d;
    if (!is_fragment(draw))
        return QP_OK;
    enum qp_status status = qp_changes_open(
        m->text[FREE][i], qp_changed_is_body(draw) ? draw->kernel : NULL, &qp_disguises, &d);
    while (status == QP_OK && qp_changes_next(&d))
        status = check_disguise(m, i, &d);
    qp_changes_close(&d);
    return status;
}

static enum qp_status check_all(struct masked *m)
{
    struct qp_result result;
    enum qp_status status = read_texts(m);
    if (status == QP_OK)
        status = find_numbers(m, FREE, &result);
    if (status == QP_OK && m->first == PRECISE)
        status = find_precise_numbers(m);
    for (int i = 0; i < qp_recipe_draws(&m->recipe) && status == QP_OK; i++)
        status = check_draw(m, i);
    for (int way = 0; way < WAYS; way++) {
        qp_matrix_destroy(&m->wanted[way]);
        for (int i = 0; i < QP_DRAWS; i++)
            free(m->text[way][i]);
    }
    return status;
}

enum qp_status qp_disguise(struct qp_context *context, const struct qp_variant *variant,
                           struct qp_problem *problem, int iterations,
                           struct qp_disguise_result *out)
{
    if (QP_NEED(out))
        return QP_BAD_USE;
    *out = (struct qp_disguise_result){0};
    if (QP_NEED(context) || qp_context_check(context) || QP_NEED(variant) || QP_NEED(problem))
        return QP_BAD_USE;
    const enum qp_status status =
        qp_changed_check(context, variant, problem, iterations, "disguised");
    if (status != QP_OK)
        return status;
    const bool precise = (context->device.abilities & QP_CAN_PRECISE) != 0;
    struct masked m = {.context = context,
                       .problem = problem,
                       .iterations = qp_most(iterations, 1),
                       .first = precise ? PRECISE : FREE,
                       .exact = precise && context->device.software,
                       .out = out,
                       .recipe = *variant->recipe,
                       .variant = *variant};
    m.variant.recipe = &m.recipe;
    return check_all(&m);
}
