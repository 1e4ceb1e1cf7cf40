/* SPDX-License-Identifier: MIT */
/* Drawings of `quadpass draw`, as files of the folder that a group has entered
 * (enter_folder_with_cache). */
#ifndef QP_TESTS_DRAWING_H
#define QP_TESTS_DRAWING_H

#include "support/shell.h"

/* Runs `draw ARGUMENTS -o p.svg`, which must take less than 2 s of processor time, and returns the
 * file's text, valid until the next call. It must have a title and a description, which are what is
 * printed, and no letter below 11 px. */
const char *draw(const char *arguments);

/* How often the drawing has these words. */
int count_in(const char *drawing, const char *words);

/* `draw ARGUMENTS -o p.svg` must end with 2 and these words, and leave no file. */
void draw_refuses(const char *arguments, const char *words);

/* A copy of all shaders for later runs, in which sed has changed this one. */
void spoil_shader(const char *shader, const char *script);
void heal_shaders(void);

#endif
