/* SPDX-License-Identifier: MIT */
/* "Did you mean": the known name that a mistyped one is nearest to. */
#ifndef QP_CMD_NEAREST_H
#define QP_CMD_NEAREST_H

/* One of `names` (NULL entries are left out) that begins with the text, or else the one of the fewest
 * edits: letters inserted, left out, replaced, or two neighbours exchanged, one in three at most. NULL: none is near. */
const char *nearest(const char *text, const char *const names[], int count);

/* The same for a sentence, such as " (did you mean 'check'?)"; "" where none is near. It stands until
 * the next call. */
const char *nearest_hint(const char *text, const char *const names[], int count);

#endif
