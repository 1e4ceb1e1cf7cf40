/* SPDX-License-Identifier: MIT */
#include "cmd/nearest.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"

enum { LONGEST = 63 };

const char *nearest(const char *text, const char *const names[], int count)
{
    const size_t length = strlen(text);
    const char *best = NULL;
    int fewest = (int)(length > LONGEST ? 0 : (length + 2) / 3) + 1;
    for (int i = 0; i < count && length > 1; i++) {
        if (names[i] == NULL)
            continue;
        const int edits = strncmp(names[i], text, length) == 0 ? 0 : qp_edits(text, names[i]);
        if (edits < fewest) {
            fewest = edits;
            best = names[i];
        }
    }
    return best;
}

const char *nearest_hint(const char *text, const char *const names[], int count)
{
    static char hint[128];
    const char *name = nearest(text, names, count);
    snprintf(hint, sizeof hint, name != NULL ? " (did you mean '%s'?)" : "%s",
             name != NULL ? name : "");
    return hint;
}
