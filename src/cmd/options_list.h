/* SPDX-License-Identifier: MIT */
/* The options of all commands, as argp wants them listed. */
#ifndef QP_CMD_OPTIONS_LIST_H
#define QP_CMD_OPTIONS_LIST_H

#include <argp.h>

enum {
    KEY_SIZE = 256,
    KEY_GRID,
    KEY_VARIANT,
    KEY_PROBLEM,
    KEY_ITERATIONS,
    KEY_REPEATS,
    KEY_SEED,
    KEY_DEVICE,
    KEY_PINGPONG,
    KEY_TARGET,
    KEY_GROUP,
    KEY_BLOCK,
    KEY_REQUIRE,
    KEY_JSON,
    KEY_CSV,
    KEY_MARKDOWN,
    KEY_PAPER,
    KEY_BUDGET,
    KEY_WEIGHT,
    KEY_CONDITION,
    KEY_PARAMETER,
    KEY_TOLERANCE,
    KEY_MAX_ITERATIONS,
    KEY_REFINE,
    KEY_START,
    KEY_PICTURE,
    KEY_USAGE
};

extern const struct argp_option options_common[], options_of_solve[];

#endif
