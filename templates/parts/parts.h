/*@ origin */
/* heat.frag in parts: the rows of the grid that each machine computes and that it needs. */
/*@ end */
#ifndef PARTS_H
#define PARTS_H

#include "stencil.h"

/* The first part's share of the rows; below 0: all parts are equal, unless a trial finds a
 * share. */
extern double partition;

/* Part k of `parts`. The first has this share; the others have the rest in equal parts, which may
 * be empty. */
struct part part_of(int height, int parts, int k, double share);

/* Goes between two exchanges of borders. If they are several, parts also compute the rows that they
 * keep of others, as far as these are right; a part that wraps and keeps all rows cannot. */
int goes_of(const struct part *parts, int count, int height);

/* Rows that a part keeps of another: from `row` on here, from `source` on in the owner. */
struct border {
    int owner, row, source, count;
};

/* Finds the next border of a part from row *y on, at first its lowest row; false: no border. */
bool next_border(const struct part *parts, int k, int height, int *y, struct border *out);

/* Rows of an array that a part is given before its steps: of a state the rows that it computes, as
 * the first go exchanges borders; of other arrays all rows that it keeps. */
void given_rows(const struct part *part, int array, int *low, int *high);

/* Copies these rows from the whole grid. */
void put_part(const struct engine *engine, struct machine *machine, const struct part *part,
              const struct grid *grid, int array, const real *rows);

/* Takes the settings `partition`, a share from 0 to 1, and `exchange`, the goes between two
 * exchanges, 1 to 4; false: the name is another. */
bool set_parts(const char *key, size_t length, const char *value);

#endif
