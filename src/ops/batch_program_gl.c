/* SPDX-License-Identifier: MIT */
#include "ops/batch_program_gl.h"

#include <stdio.h>
#include <stdlib.h>

#include "gl/program.h"
#include "gl/texture.h"

/* Defines `name` as `each` for 0, 1 and so on, or back from count - 1. */
static char *write_list(char *at, const char *name, const char *each, int count, bool back)
{
    at += sprintf(at, "#define %s", name);
    for (int i = 0; i < count; i++)
        at += sprintf(at, each, back ? count - 1 - i : i);
    return at + sprintf(at, "\n");
}

/* What registers.frag and registers.comp ask for, in a string that the caller frees. */
static enum qp_status make_lists(int n, char **head)
{
    const int texels = (n * (n + 1) + 3) / 4;
    *head = qp_alloc((size_t)(texels + 4 * n) * sizeof " F(k, 1000)" + 512, 1, "a shader's lists");
    if (*head == NULL)
        return QP_NO_MEMORY;
    char *at = *head + sprintf(*head, "#define N %d\n", n);
    at = write_list(at, "TEXELS(F)", " F(%d)", texels, false);
    at = write_list(at, "COLUMNS(F)", " F(%d)", n, false);
    at = write_list(at, "COLUMNS_BACK(F)", " F(%d)", n, true);
    at = write_list(at, "ROWS(F, k)", " F(k, %d)", n, false);
    write_list(at, "ROWS_AGAIN(F, k)", " F(k, %d)", n, false);
    return QP_OK;
}

/* Four systems side by side are a stamp: a warp of 32 reads eight rows of 64 bytes, as textures of
 * GPUs are tiled. */
static const struct qp_group usual_group = {4, 16};

static enum qp_status make_compute(struct qp_plan *plan, const struct qp_source *source,
                                   struct qp_program **out)
{
    if (plan->group_x <= 0 || plan->group_y <= 0) {
        plan->group_x = usual_group.x;
        plan->group_y = usual_group.y;
    }
    const struct qp_group group = {plan->group_x, plan->group_y};
    return qp_program_make_compute(plan->context, source, qp_gl_target(plan->target), group, out);
}

static enum qp_status make_program(struct qp_plan *plan, const struct qp_draw *recipe,
                                   const char *head, struct qp_program **out)
{
    const struct qp_source vertex = {0}, fragment = {.name = recipe->fragment, .head = head};
    const struct qp_source compute = {.name = recipe->compute, .head = head};
    return recipe->compute != NULL ? make_compute(plan, &compute, out)
                                   : qp_program_make(plan->context, &vertex, &fragment,
                                                     qp_gl_target(plan->target), out);
}

enum qp_status qp_batch_program_find(struct qp_plan *plan, const struct qp_draw *recipe, bool lists,
                                     struct qp_batch_program *out)
{
    static const char *const found_names[QP_BATCH_FOUND] = {"found", "pivots", "failures"};
    char *head = NULL;
    enum qp_status status = lists ? make_lists(plan->input_layout[0].batch.rows, &head) : QP_OK;
    if (status == QP_OK)
        status = make_program(plan, recipe, head, &out->program);
    free(head);
    if (status != QP_OK)
        return status;
    out->a = qp_program_location(out->program, "a");
    for (int i = 0; i < QP_BATCH_FOUND; i++)
        out->found[i] = qp_program_location(out->program, found_names[i]);
    out->origin = qp_program_location(out->program, "origin");
    out->corner = qp_program_location(out->program, "corner");
    out->place = qp_program_location(out->program, "place");
    out->size = qp_program_location(out->program, "size");
    out->count = qp_program_location(out->program, "count");
    out->k = qp_program_location(out->program, "k");
    return QP_OK;
}
