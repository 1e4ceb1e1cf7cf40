/* SPDX-License-Identifier: MIT */
#include "io/market_join.h"

#include <stdlib.h>

#include "base/status.h"

struct entry {
    double value;
    size_t order; /* in the file: sums are the same on every machine */
    int row, column;
};

static int compare(const void *one, const void *other)
{
    const struct entry *a = one, *b = other;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

bool qp_market_join(struct qp_market *market)
{
    struct entry *entries = qp_alloc(market->count, sizeof *entries, "entries that are added");
    size_t count = 0;
    if (entries == NULL)
        return false;
    for (size_t k = 0; k < market->count; k++)
        entries[k] = (struct entry){market->value[k], k, market->row[k], market->column[k]};
    qsort(entries, market->count, sizeof *entries, compare);
    for (size_t k = 0; k < market->count; k++) {
        const struct entry *e = &entries[k];
        if (count > 0 && market->row[count - 1] == e->row &&
            market->column[count - 1] == e->column) {
            market->value[count - 1] += e->value;
            continue;
        }
        market->row[count] = e->row;
        market->column[count] = e->column;
        market->value[count++] = e->value;
    }
    market->count = count;
    free(entries);
    return true;
}
