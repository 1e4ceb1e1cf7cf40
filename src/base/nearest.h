/* SPDX-License-Identifier: MIT */
/* "Did you mean?": a name that is so near that it may have been meant. */
#ifndef QP_BASE_NEAREST_H
#define QP_BASE_NEAREST_H

/* How many edits make b of a: letters put in, left out or replaced, or two neighbours exchanged. */
int qp_edits(const char *a, const char *b);

/* Of names up to a NULL the first of those that the fewest edits make of `name`. One edit is near for four
 * letters and fewer, two for more, but never as many as there are letters. NULL if none is near. */
const char *qp_nearest(const char *name, const char *const names[]);

#endif
