/*@ origin */
/* heat.frag as a process that quadpass drives: what they say to each other. */
/*@ end */
#ifndef LINK_H
#define LINK_H

enum { LINK = 0, MEMORY = 3 }; /* descriptors: a socket; and cells of one array, row by row */

/* The first message: the grid's size, the device, and all numbers of the kernel, if it has
 * some. */
struct start {
    int width, height, device, at_once;
    double number[1024];
};

/* A request is answered when it is done: P and G put an array and get a state, L compiles kernels
 * of up to `number` steps, T takes `number` steps, and F waits for them. Of a kernel that the user
 * calls, L is step `number` from another state, and l and t are L and T that nobody looks at. */
struct request {
    int what, number;
};

/* The first answer comes when the machine is made. */
struct answer {
    int at_once;     /* steps in one go */
    int sizes[4][2]; /* awkward sizes beside the usual ones, and zeros */
    char name[124];
};

#endif
