/* SPDX-License-Identifier: MIT */
#include "ops/gauss_jordan_batch/program.h"

#include <stdio.h>
#include <stdlib.h>

#include "gl/texture.h"

/* Defines `name` as `each` for 0, 1 and so on, or back from count - 1. */
static char *write_list(char *at, const char *name, const char *each, int count, bool back)
{
    at += sprintf(at, "#define %s", name);
    for (int i = 0; i < count; i++)
        at += sprintf(at, each, back ? count - 1 - i : i);
    return at + sprintf(at, "\n");
}

/* Definitions for registers.frag and registers.comp, in a string that the caller frees. */
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

/* Work group of 4 x 16: four systems side by side are a stamp, and a warp of 32 reads eight rows of 64 bytes, as
 * textures of GPUs are tiled. */
static const struct qp_group usual_group = {4, 16};

static enum qp_status make_compute(struct qp_plan *plan, const struct qp_source *source,
                                   const struct qp_uniform *uniforms, struct qp_program **out)
{
    if (plan->group_x <= 0 || plan->group_y <= 0) {
        plan->group_x = usual_group.x;
        plan->group_y = usual_group.y;
    }
    const struct qp_group group = {plan->group_x, plan->group_y};
    return qp_program_make_compute(plan->context, source, qp_gl_target(plan->target), group,
                                   uniforms, out);
}

static enum qp_status make_program(struct qp_plan *plan, const struct qp_draw *recipe,
                                   const char *head, const struct qp_uniform *uniforms,
                                   struct qp_program **out)
{
    const struct qp_source vertex = {0}, fragment = {.name = recipe->fragment, .head = head};
    const struct qp_source compute = {.name = recipe->compute, .head = head};
    return recipe->compute != NULL ? make_compute(plan, &compute, uniforms, out)
                                   : qp_program_make(plan->context, &vertex, &fragment,
                                                     qp_gl_target(plan->target), uniforms, out);
}

enum qp_status qp_batch_program_find(struct qp_plan *plan, const struct qp_draw *recipe, bool lists,
                                     struct qp_batch_program *out)
{
    const int sheets = plan->layout.sheets / plan->input_layout[0].batch.tiles; /* of a tile */
    const struct qp_uniform uniforms[] = {{"a", QP_SAMPLER, &out->a, 0},
                                          {"found", QP_SAMPLER, &out->found[0], 0},
                                          {"pivots", QP_SAMPLER, &out->found[1], 0},
                                          {"failures", QP_SAMPLER, &out->found[2], 0},
                                          {"target", QP_IMAGE, out->target, sheets},
                                          {"origin", QP_VECTOR, &out->origin, 0},
                                          {"corner", QP_VECTOR, &out->corner, 0},
                                          {"place", QP_VECTOR, &out->place, 0},
                                          {"size", QP_VECTOR, &out->size, 0},
                                          {"count", QP_VECTOR, &out->count, 0},
                                          {"k", QP_FLOAT, &out->k, 0},
                                          {0}};
    char *head = NULL;
    enum qp_status status = lists ? make_lists(plan->input_layout[0].batch.rows, &head) : QP_OK;
    if (status == QP_OK)
        status = make_program(plan, recipe, head, uniforms, &out->program);
    free(head);
    return status;
}
