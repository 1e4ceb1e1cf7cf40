/*@ origin */
/* heat.frag as asynchronous steps: their kind, and the numbers of a launch. */
/*@ end */
#ifndef ASYNC_H
#define ASYNC_H

#include "stencil.h"

/* Figures 17 to 20 of the thesis, and half steps by colour. */
enum sync { ASYNC0, ASYNC1, ASYNC2, ASYNC3, RED_BLACK };

/*@ tune sync = jacobi async0 async1 async2 async3 red_black */
/*@ tune alpha = 1 2 3 4 6 8 12 16 24 32 */
/*@ tune block = 4 8 16 32 */
/*@ tile across = 64 */
/*@ tile up = block */
/*@ tune not sync = red_black with diagonal > 0 */
/*@ tune not sync = jacobi red_black with alpha * 100 + block > launch */
/*@ tune not sync = jacobi red_black with alpha * 100 + block < launch */
/*@ sync */
#define SYNC  ASYNC2
#define ALPHA 6
/*@ end */
#ifndef BLOCK
#define BLOCK 8
#endif

/* A launch: each block of ACROSS x async_block cells takes async_alpha + 1 steps (judge.c). */
enum {
    ACROSS = 64,
    MOST_UP = 32,
    USUAL_UP = BLOCK <= 4    ? 4
               : BLOCK <= 8  ? 8
               : BLOCK <= 16 ? 16
                             : 32
};
extern int async_alpha, async_block;

/* Takes `alpha` or `block` of --set; false: the name is another. */
bool set_launch(const char *key, size_t length, const char *value);

#endif
