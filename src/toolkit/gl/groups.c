/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/groups.h"

#include <math.h>
#include <string.h>

/* Trials of each size: all in turn, then all again; the better time counts. */
enum { ROUNDS = 2 };

static const struct qp_group sizes[] = {{8, 1},  {32, 1}, {64, 1}, {128, 1}, {256, 1}, {8, 4},
                                        {32, 4}, {64, 4}, {8, 8},  {16, 8},  {16, 16}, {512, 1}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

const struct qp_group *qp_group_at(int index)
{
    return index < SIZES ? &sizes[index] : NULL;
}

static int magnitude(long texels)
{
    int power = 0;
    while (texels >>= 1)
        power++;
    return power;
}

/* An earlier choice for this shader and size, or NULL. */
static struct qp_group_choice *find(struct qp_context *context,
                                    const struct qp_group_choice *wanted)
{
    for (int i = 0; i < QP_GROUP_CHOICES; i++) {
        struct qp_group_choice *choice = &context->group_choice[i];
        if (choice->group.x > 0 && choice->target == wanted->target &&
            choice->magnitude == wanted->magnitude && strcmp(choice->shader, wanted->shader) == 0)
            return choice;
    }
    return NULL;
}

static enum qp_status measure(qp_group_trial *trial, void *user, struct qp_group *best)
{
    double least = INFINITY, seconds = 0.0;
    for (int i = 0; i < ROUNDS * SIZES; i++) {
        enum qp_status status = trial(user, sizes[i % SIZES], &seconds);
        if (status != QP_OK)
            return status;
        if (seconds < least) {
            least = seconds;
            *best = sizes[i % SIZES];
        }
    }
    return QP_OK;
}

enum qp_status qp_groups_choose(struct qp_context *context, const char *shader, GLenum target,
                                long texels, qp_group_trial *trial, void *user,
                                struct qp_group *best)
{
    struct qp_group_choice wanted = {shader, target, magnitude(texels), sizes[0]};
    const struct qp_group_choice *known = find(context, &wanted);
    if (known != NULL) {
        *best = known->group;
        return QP_OK;
    }
    enum qp_status status = measure(trial, user, &wanted.group);
    if (status == QP_OK) { /* the oldest gives way */
        context->group_choice[context->group_choices] = wanted;
        context->group_choices = (context->group_choices + 1) % QP_GROUP_CHOICES;
    }
    *best = wanted.group;
    return status;
}
