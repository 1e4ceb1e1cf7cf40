/*@ origin */
/* heat.frag as asynchronous steps: their kind, and the numbers of a launch. */
/*@ end */
#ifndef ASYNC_H
#define ASYNC_H

#include "stencil.h"

/* Figures 17 to 20 of the thesis, and half steps by colour. */
enum sync { ASYNC0, ASYNC1, ASYNC2, ASYNC3, RED_BLACK };

/*@ sync */
#define SYNC ASYNC2
enum { ALPHA = 6 };
/*@ end */

/* A launch: each block of ACROSS x async_block cells takes async_alpha + 1 steps (judge.c). */
enum { ACROSS = 64, MOST_UP = 32 };
extern int async_alpha, async_block;

/* Takes `alpha` or `block` of --set; false: the name is neither. */
bool set_launch(const char *key, size_t length, const char *value);

#endif
