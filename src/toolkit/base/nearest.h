/* SPDX-License-Identifier: MIT */
/* "Did you mean?": the known name that a mistyped one is nearest to. */
#ifndef QP_BASE_NEAREST_H
#define QP_BASE_NEAREST_H

/* The nearest of `count` names (NULL entries are left out): the first one that begins with the
 * text, else the one that takes the fewest edits: letters put in, left out or replaced, or two
 * neighbours exchanged. One edit in three letters is near. NULL if none is, and for a single
 * letter. */
const char *qp_nearest(const char *text, const char *const names[], int count);

#endif
