/* SPDX-License-Identifier: MIT */
/* Recipes of chapter V, on all backends alike: the four figures, and what a launch of theirs
 * takes. */
#ifndef QP_OPS_POISSON5_ASYNC_VARIANTS_H
#define QP_OPS_POISSON5_ASYNC_VARIANTS_H

#include "lab/ops/poisson5/poisson5.h"

/* Order and members of the rule of alpha: fringes meet at every step; - 4 of 6 barriers; - the
 * exchange of fringes; with it, - all barriers and a block. Where f has both signs answers of
 * variants that race have no bounds. */
#define QP_ASYNC_ORDER_0 QP_POISSON5_ASYNC_BLOCKS
#define QP_ASYNC_ORDER_1 QP_POISSON5_ASYNC_BLOCKS
#define QP_ASYNC_ORDER_2 QP_POISSON5_BLOCKS
#define QP_ASYNC_ORDER_3 QP_POISSON5_ASYNC_COLUMNS
#define QP_ASYNC_RULE_0  .even = true, QP_ASYNC_RACES
#define QP_ASYNC_RULE_1  .even = true, QP_ASYNC_RACES
#define QP_ASYNC_RULE_2  .even = true
#define QP_ASYNC_RULE_3  QP_ASYNC_RACES
#define QP_ASYNC_RACES   .unjudged = 1u << QP_POISSON5_FIELD

/* Heights of blocks, the usual one first. */
static const int qp_async_heights[] = {8, 4, 16, 32, 0};

/* A launch of alpha + 1 steps. The thesis finds its best Async 2 at alpha = 6. */
#define QP_ASYNC_LAUNCH(heights, most_alpha, ...)                                               \
    .blocks = &(const struct qp_block_rule)                                                     \
    {                                                                                           \
        .listed = heights, .counts = "rows of unknowns", .alpha = &(const struct qp_alpha_rule) \
        {                                                                                       \
            .usual = 6, .most = most_alpha, __VA_ARGS__                                         \
        }                                                                                       \
    }

#endif
