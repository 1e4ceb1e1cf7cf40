/*@ origin */
/* heat.frag as C: the kernel, and the loop over a row. */
/*@ end */
#include "stencil.h"

#include "glsl.h"

/* A cell: its place in the rows. Every function of the kernel is called with it. */
struct cell {
    const struct rows *rows;
    const struct numbers *set;
    int x;
    real out[STATES];
};

/* The value of an array beside the cell. Offsets are whole numbers. */
static inline real at_of(const struct cell *at, int array, float dx, float dy)
{
    return at->rows->of[array][REACH + (int)dy][at->x + (int)dx];
}

/*@ names */
#define x_at(dx, dy) at_of(at, 0, dx, dy)
/*@ end */

/*@ body */
static inline float kernel(struct cell *at, vec2 here)
{
    (void)here;
    float old = x_at(0.0f, 0.0f);
    float around = x_at(-1.0f, 0.0f) + x_at(1.0f, 0.0f) + x_at(0.0f, -1.0f) + x_at(0.0f, 1.0f);
    return old + at->set->rate * (around - 4.0f * old);
}
/*@ end */

void step_row(const struct rows *rows, const struct numbers *set, int width, real *const *out)
{
    const struct rows own = *rows; /* which no store can change */
    const struct numbers numbers = *set;
    /*@ stores */
    real *RESTRICT to0 = out[0];
    /*@ end */
#pragma omp simd
    for (int x = 0; x < width; x++) {
        struct cell cell = {&own, &numbers, x, {0}};
        const vec2 here = {(single)x, (single)own.y};
        /*@ calls */
        to0[x] = kernel(&cell, here);
        /*@ end */
    }
}
