/* SPDX-License-Identifier: MIT */
/* Ways to run a variant: those that options ask for, and those that `quadpass tune` found to be the
 * fastest here. */
#ifndef QP_CMD_STYLE_H
#define QP_CMD_STYLE_H

#include "tools/cmd/cmd.h"

/* Sets what a text such as "size=1024x1024 pingpong=copy depth=4" says, for a grid of `rows` rows:
 * a split gets the same share of them as of the size's, and no block is larger. Without a size the
 * text is about this grid. */
void style_read(const char *values, int rows, struct qp_style *style);

/* Style that the options ask for, or where they ask for none the one that the tuner found for this
 * variant on this device, whose text is `tuned` then, else "". With NULL the former. */
struct qp_style style_take(const struct options *options, const struct qp_context *context,
                           const struct qp_variant *variant, int rows, char *tuned);

/* Says that a variant or machine is as the tuner found it here; nothing where `tuned` is empty. */
void style_say(const char *name, const char *tuned);

/* Names the device that a variant runs on, with its driver and the processor, as winners are kept
 * by. */
void style_device(const struct qp_context *context, const struct qp_variant *variant,
                  char text[CMD_DEVICE]);

#endif
