/*@ origin */
/* heat.frag as C: what it computes, and over which arrays. */
/*@ end */
#ifndef STENCIL_H
#define STENCIL_H

/*@ description */
typedef float real; /* a value of an array */
#define IS_WHOLE 0  /* it is an integer */
#define NAME "heat"

enum { REACH = 1 };  /* cells that a cell looks, each way */
enum { STATES = 1 }; /* arrays that a step writes */
enum { ARRAYS = 1 }; /* all: the states, then those that are only read */

enum { STEPS = 100, WIDTH = 65, HEIGHT = 65 }; /* by default */
#define SEED 1u                                /* of random arrays */
#define TOLERANCE 0x1p-20 /* of a step, in parts of the largest magnitude */

/* Numbers that --set changes. */
struct numbers {
    float rate;
};
/*@ end */

/* What a cell beside an array's first or last one holds. */
enum outside { VALUE, CLAMP, WRAP };

/* Rows of all arrays around a row y, from REACH below it to REACH above it. A row has REACH values more at either end. */
struct rows {
    const real *of[ARRAYS][2 * REACH + 1];
    int y;
};

/* One step of a row: writes `width` values of each state. */
void step_row(const struct rows *rows, const struct numbers *set, int width, real *const *out);

/* One step of all cells, in double, the plainest way. */
void reference_step(int width, int height, const struct numbers *set, const double *const *array,
                    double *const *out);

#endif
