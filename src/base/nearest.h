/* SPDX-License-Identifier: MIT */
/* "Did you mean?": the known name that a mistyped one is nearest to. */
#ifndef QP_BASE_NEAREST_H
#define QP_BASE_NEAREST_H

/* Of `count` names (NULL entries are left out) the first one that begins with the text, or else of those that the
 * fewest edits make of it: letters put in, left out or replaced, or two neighbours exchanged. One edit in three letters is
 * near. NULL if none is, and for a single letter. */
const char *qp_nearest(const char *text, const char *const names[], int count);

#endif
