/* SPDX-License-Identifier: MIT */
#include "toolkit/base/nearest.h"

#include <stddef.h>
#include <string.h>

#include "toolkit/base/whole.h"

enum { LONGEST = 64 /* letters; longer names are far from all */ };

/* The distance of Damerau and Levenshtein, row by row: row[i % 3][k] edits make b's first k letters
 * of a's first i. */
static int count_edits(const char *a, const char *b)
{
    const int n = (int)strlen(a), m = (int)strlen(b);
    int row[3][LONGEST + 1];
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    for (int k = 0; k <= m; k++)
        row[0][k] = k;
    for (int i = 1; i <= n; i++) {
        int *new = row[i % 3];
        const int *old = row[(i + 2) % 3], *older = row[(i + 1) % 3];
        new[0] = i;
        for (int k = 1; k <= m; k++) {
            new[k] =
                qp_least(qp_least(old[k], new[k - 1]) + 1, old[k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                new[k] = qp_least(new[k], older[k - 2] + 1);
        }
    }
    return row[n % 3][m];
}

const char *qp_nearest(const char *text, const char *const names[], int count)
{
    const size_t length = strlen(text);
    const char *best = NULL;
    int fewest = (int)(length > LONGEST ? 0 : (length + 2) / 3) + 1;
    for (int i = 0; i < count && length > 1; i++) {
        if (names[i] == NULL)
            continue;
        const int edits = strncmp(names[i], text, length) == 0 ? 0 : count_edits(text, names[i]);
        if (edits < fewest) {
            fewest = edits;
            best = names[i];
        }
    }
    return best;
}
