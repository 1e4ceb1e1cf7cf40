/* SPDX-License-Identifier: MIT */
/* Values of options, read from text. What cannot be read is refused with a sentence that names the option. */
#ifndef QP_CMD_OPTIONS_VALUES_H
#define QP_CMD_OPTIONS_VALUES_H

#include "cmd/cmd.h"

/* A whole number of at least `least`. */
int options_whole(const char *text, long least, const char *option, struct options *o);

double options_number(const char *text, const char *option, struct options *o);

/* N or WxH; WxH alone for an option that is named, with an example. */
void options_size(const char *text, const char *option, const char *such, int *width, int *height,
                  struct options *o);

int options_one_of(const char *text, const char *const names[], int count, const char *option,
                   struct options *o);

#endif
