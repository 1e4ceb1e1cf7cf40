/* SPDX-License-Identifier: MIT */
#include "tools/cmd/style.h"

#include <stdlib.h>
#include <string.h>

#include "lab/plan/op.h"
#include "toolkit/cuda/device.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/groups.h"
#include "tools/cmd/output/sentence.h"

void style_read(const char *values, int rows, struct qp_style *style)
{
    char name[16], value[32];
    int size = rows;
    for (int used; sscanf(values, " %15[a-z]=%31s%n", name, value, &used) == 2; values += used) {
        const int number = atoi(value);
        if (strcmp(name, "size") == 0)
            size = sscanf(value, "%*dx%d", &size) == 1 && size > 0 ? size : rows;
        else if (strcmp(name, "group") == 0) /* or "own" */
            sscanf(value, "%dx%d", &style->group_x, &style->group_y);
        else if (strcmp(name, "block") == 0)
            style->block = number <= rows || size == rows ? number : 0;
        else if (strcmp(name, "depth") == 0)
            style->parts.depth = number;
        else if (strcmp(name, "split") == 0)
            style->parts.split = (int)((double)number / size * rows + 0.5);
        for (int k = 0; k < QP_PINGPONG_STYLES; k++) { /* which are more than targets */
            if (strcmp(value, qp_pingpong_name((enum qp_pingpong_style)k)) == 0)
                style->pingpong = (enum qp_pingpong_style)k;
            if (strcmp(value, qp_target_name((enum qp_texture_target)k)) == 0)
                style->target = (enum qp_texture_target)k;
        }
    }
}

/* True for values that the tuner may have found; a file's right hash is no secret. */
static bool is_possible(const struct qp_style *style, int rows)
{
    bool group = style->group_x == 0 && style->group_y == 0;
    for (int k = 0; !group && qp_group_at(k) != NULL; k++)
        group = style->group_x == qp_group_at(k)->x && style->group_y == qp_group_at(k)->y;
    return group && style->block >= 0 && style->block <= 1 << 16 && style->parts.depth >= 0 &&
           style->parts.depth <= 16 && style->parts.split >= 0 && style->parts.split <= rows;
}

struct qp_style style_take(const struct options *o, const struct qp_context *context,
                           const struct qp_variant *variant, int rows, char *tuned)
{
    const int block = qp_recipe_takes_blocks(variant->recipe) ? o->block : 0;
    struct qp_style style = {o->pingpong, o->target, o->group_x, o->group_y, block, o->parts};
    char device[CMD_DEVICE];
    if (tuned == NULL)
        return style;
    tuned[0] = '\0';
    if (o->styled || o->untuned)
        return style;
    style_device(context, variant, device);
    if (!qp_winner_read(variant->name, device, tuned))
        tuned[0] = '\0';
    struct qp_style found = style;
    style_read(tuned, rows, &found);
    if (is_possible(&found, rows))
        return found;
    tuned[0] = '\0';
    return style;
}

void style_say(const char *name, const char *tuned)
{
    if (tuned[0] != '\0')
        sentence_say("%s is as 'quadpass tune' found it here: %s", name, tuned);
}

void style_device(const struct qp_context *context, const struct qp_variant *variant,
                  char text[CMD_DEVICE])
{
    const bool draws = context != NULL && qp_variant_draws(variant);
    struct qp_cuda *cuda = NULL;
    char cpu[RECORDS_CPU];
    records_cpu(cpu);
    if (variant->backend == QP_CUDA)
        qp_cuda_open(qp_context_cuda_ordinal(context), &cuda);
    if (cuda != NULL)
        snprintf(text, CMD_DEVICE, "%s, CUDA %d, %s", cuda->name, cuda->driver, cpu);
    else if (draws)
        snprintf(text, CMD_DEVICE, "%s, %s, %s", qp_context_device(context)->renderer,
                 qp_context_device(context)->version, cpu);
    else
        snprintf(text, CMD_DEVICE, "%s", cpu);
    qp_cuda_close(&cuda);
}
