/*@ origin */
/* heat.frag in its check: sizes of grids at which a mistake shows. */
/*@ end */
#ifndef SIZES_H
#define SIZES_H

#include <stdbool.h>

/* Least, row, column, primes, no multiple of 4, a power of 2, one above, wide. */
// clang-format off
#define USUAL_SIZES {1, 1}, {1, 7}, {7, 1}, {3, 3}, {13, 11}, {30, 30}, {64, 64}, {65, 9}, \
                    {17, 5}, {128, 130}, {2048, 3}
// clang-format on

/* After these: cells beyond two halves that do not read each other; two tiles, of the sides into
 * which programs cut the grid, and less than one more; more rows than three parts keep. */
enum { SIZE_OF_REACH = 11, SIZE_OF_TILES = 12 };

/* Size k of all; false: there is none. */
static inline bool awkward_size(int k, int reach, int across, int up, int *width, int *height)
{
    const int sizes[][2] = {USUAL_SIZES,
                            {61 + 2 * reach, 37 + reach},
                            {2 * across + 13, 2 * up + 7},
                            {3, 300 + 100 * reach}};
    const bool has = k < (int)(sizeof sizes / sizeof sizes[0]);
    *width = has ? sizes[k][0] : 0;
    *height = has ? sizes[k][1] : 0;
    return has;
}

#endif
