/* SPDX-License-Identifier: MIT */
/* What a shader's text tells of itself, so that nobody has to say it twice: its form, its channels, its uniforms. */
#ifndef QP_CMD_RUN_GLSL_H
#define QP_CMD_RUN_GLSL_H

#include <stdbool.h>

#include <quadpass/status.h>

/* All texts are without comments (base/text.h). */

/* The word before a function of this name and its bracket, such as "float"; NULL where there is none. It stands until
 * the next call. */
const char *glsl_function(const char *text, const char *name);

/* True if the word stands anywhere, or, of `gathers`, NAME_at, NAME_cell or NAME_size. */
bool glsl_reads(const char *text, const char *name, bool gathers);

/* The first NAME_at( or NAME_cell( in the text whose NAME is none of these and is no function of its own: NAME, which
 * stands until the next call; NULL where all are known. */
const char *glsl_unknown_gather(const char *text, const char *const names[], int count);

/* The word of the text, or NAME in NAME_at or NAME_cell, that is nearest to a name, which is stored until the next call; NULL
 * where none is near. */
const char *glsl_nearest(const char *text, const char *name);

/* What `uniform TYPE NAME` says of a name; all zero where it is not declared. */
struct glsl_uniform {
    char type[32];
    bool list; /* TYPE NAME[...], or TYPE[...] NAME */
};

struct glsl_uniform glsl_uniform(const char *text, const char *name);

#endif
