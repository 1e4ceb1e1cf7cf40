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

/* Work group of 4 x 16: four systems side by side are a stamp, and a warp of 32 reads eight rows of
 * 64 bytes, as textures of GPUs are tiled. */
static const struct qp_group usual_group = {4, 16};

static struct qp_group choose_group(struct qp_plan *plan)
{
    if (plan->group_x <= 0 || plan->group_y <= 0) {
        plan->group_x = usual_group.x;
        plan->group_y = usual_group.y;
    }
    return (struct qp_group){plan->group_x, plan->group_y};
}

enum qp_status qp_batch_step_make(struct qp_plan *plan, const struct qp_draw *recipe, bool lists,
                                  struct qp_step *out)
{
    const int sheets = plan->layout.sheets / plan->input_layout[0].batch.tiles; /* of a tile */
    const struct qp_uniform names[QP_BATCH_NAMES + 1] = {{"a", QP_SAMPLER, 0},
                                                         {"found", QP_SAMPLER, 0},
                                                         {"pivots", QP_SAMPLER, 0},
                                                         {"failures", QP_SAMPLER, 0},
                                                         {"target", QP_IMAGE, sheets},
                                                         {"origin", QP_VECTOR, 0},
                                                         {"corner", QP_VECTOR, 0},
                                                         {"place", QP_VECTOR, 0},
                                                         {"size", QP_VECTOR, 0},
                                                         {"count", QP_VECTOR, 0},
                                                         {"k", QP_FLOAT, 0}};
    struct qp_program_source source = {.target = qp_gl_target(plan->target)};
    char *head = NULL;
    enum qp_status status = lists ? make_lists(plan->input_layout[0].batch.rows, &head) : QP_OK;
    source.fragment = (struct qp_source){.name = recipe->fragment, .head = head};
    source.compute = (struct qp_source){.name = recipe->compute, .head = head};
    if (recipe->compute != NULL)
        source.group = choose_group(plan);
    if (status == QP_OK)
        status = qp_step_make(plan->context, &source, names, out);
    free(head);
    return status;
}
