/* SPDX-License-Identifier: MIT */
/* Drawings as SVG: the rules that all of them keep. */
#ifndef QP_TESTS_DRAWINGS_H
#define QP_TESTS_DRAWINGS_H

#include "support/shell.h"

/* NULL, or where the text breaks a rule: it is one XML element, well-formed; it has role="img", a
 * title and a description that are not empty; no letter is smaller than 11. */
const char *drawing_fault(const char *text);

/* NULL, or the first text element of a drawing without groups and transforms whose letters have
 * less than 4.5 of contrast (WCAG 2) with the last filled rectangle or circle below them, at their
 * beginning or their end, or that are on none. */
const char *drawing_pale(const char *text);

/* NULL, or the first text element that leaves the page or touches another, or the first polyline
 * that leaves it or has a point that is none; in a drawing without groups and transforms, whose
 * letters are as wide as svg_text_width says. */
const char *drawing_crowded(const char *text);

/* Number of the text's places with these words. */
int drawing_count(const char *text, const char *words);

/* Runs `draw ARGUMENTS -o p.svg`, which must say the drawing's title and description and break no
 * rule; returns the file's text, valid until the next call. For groups that have entered their
 * folder (enter_folder_with_cache), as the next two. */
const char *drawing_of(const char *arguments);

/* `draw ARGUMENTS -o p.svg` must end with 2 and these words, and leave no file. */
void drawing_refused(const char *arguments, const char *words);

/* Makes a copy of all shaders for later runs, in which sed changes this one; and leaves it. */
void spoil_shader(const char *shader, const char *script);
void heal_shaders(void);

#endif
