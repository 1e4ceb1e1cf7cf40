/* SPDX-License-Identifier: MIT */
#include "toolkit/io/market_places.h"

#include <stdlib.h>

#include "toolkit/base/random.h"

__extension__ typedef unsigned __int128 wide;

static bool is_in_order(struct qp_market_places *p, const struct qp_market *m, size_t k)
{
    const int row = m->row[k], column = m->column[k], row_before = m->row[p->last],
              column_before = m->column[p->last];
    p->no_rows |= k > 0 && (row < row_before || (row == row_before && column <= column_before));
    p->no_columns |=
        k > 0 && (column < column_before || (column == column_before && row <= row_before));
    p->last = k;
    return !p->no_rows || !p->no_columns;
}

/* A hash scatters the places, so that no pattern piles them up. */
static uint64_t *slot_of(const struct qp_market_places *p, const struct qp_market *m, size_t k,
                         uint64_t *place)
{
    *place = ((uint64_t)m->row[k] + 1) << 32 | ((uint64_t)m->column[k] + 1);
    return p->taken + (size_t)((wide)qp_random_mix(*place) * p->slots >> 64);
}

/* Takes the places of the entries from k on up to one that was taken; probing is linear. Memory is
 * fetched ahead. */
static size_t take(struct qp_market_places *p, const struct qp_market *m, bool symmetric, size_t k)
{
    enum { AHEAD = 16 };
    for (uint64_t place, later; k < m->count; k++) {
        if (k + AHEAD < m->count)
            __builtin_prefetch(slot_of(p, m, k + AHEAD, &later), 1);
        if (symmetric && m->column[k] > m->row[k])
            continue;
        uint64_t *slot = slot_of(p, m, k, &place);
        while (*slot != 0 && *slot != place)
            slot = slot + 1 < p->taken + p->slots ? slot + 1 : p->taken;
        if (*slot == place)
            break;
        *slot = place;
    }
    return k;
}

bool qp_market_places_look(struct qp_market_places *places, const struct qp_market *market,
                           bool symmetric, size_t most, size_t *second)
{
    size_t k = places->seen;
    while (places->taken == NULL && k < market->count &&
           ((symmetric && market->column[k] > market->row[k]) || is_in_order(places, market, k)))
        k++;
    *second = places->seen = market->count;
    if (k == market->count)
        return true;
    if (places->slots < 2 * most) {
        free(places->taken);
        places->slots = 2 * most;
        places->taken = calloc(places->slots, sizeof *places->taken);
        k = 0;
    }
    if (places->taken != NULL)
        *second = take(places, market, symmetric, k);
    return places->taken != NULL;
}
