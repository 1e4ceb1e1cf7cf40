/*@ origin */
/* heat.frag in parts: which rows of the grid each machine computes, and which it needs of others. */
/*@ end */
#ifndef PARTS_H
#define PARTS_H

#include "stencil.h"

/* Part k of so many. The first has this share of the rows, the others the rest in equal parts; below
 * 0: all are equal. Parts may be empty. */
struct part part_of(int height, int parts, int k, double share);

/* True if no part keeps all rows: then parts also compute what they keep of others, as far as it
 * lasts. */
bool can_last(const struct part *parts, int count, int height);

/* Rows that a part keeps of another: rows from `row` on, which the owner has as `source` on. */
struct border {
    int owner, row, source, count;
};

/* Finds the next of a part's borders from row *y on, which begins as its lowest; false: none. */
bool next_border(const struct part *parts, int k, int height, int *y, struct border *out);

/* Copies an array of the whole grid to all rows that a part keeps. */
void put_part(const struct engine *engine, struct machine *machine, const struct part *part,
              const struct grid *grid, int array, const real *rows);

/* The setting `partition`, a share from 0 to 1; true: this is one. */
bool set_partition(const char *key, size_t length, const char *value, double *share);

#endif
