/*@ origin */
/* heat.frag as C: the reference, which computes the same kernel in double, cell by cell. */
/*@ end */
#include "stencil.h"

/*@ reference types */
#define DOUBLES
/*@ end */
#include "glsl.h"

/* Outside of the arrays, written here once more. */
static const struct {
    enum outside kind;
    double value;
} outside[ARRAYS] = {
    /*@ outsides */
    {CLAMP, 0.0},
    /*@ end */
};

/* A value of an array: an integer, or a float in double. */
#if IS_WHOLE
typedef int reference_value;
#else
typedef double reference_value;
#endif

struct cell {
    const double *const *array;
    const struct numbers *set;
    int width, height, x, y;
    reference_value out[STATES];
};

/* The cell that replaces a cell outside of an array; -1: a value does. */
static int inside(int i, int n, enum outside kind)
{
    if (i >= 0 && i < n)
        return i;
    return kind == WRAP ? (i % n + n) % n : kind == CLAMP ? (i < 0 ? 0 : n - 1) : -1;
}

static reference_value at_of(const struct cell *at, int array, double dx, double dy)
{
    const int x = inside(at->x + (int)dx, at->width, outside[array].kind),
              y = inside(at->y + (int)dy, at->height, outside[array].kind);
    return (reference_value)(x < 0 || y < 0 ? outside[array].value
                                            : at->array[array][(long)y * at->width + x]);
}

/*@ names */
#define x_at(dx, dy) at_of(at, 0, dx, dy)
/*@ end */

/*@ reference body */
static double kernel(struct cell *at, vec2 here)
{
    (void)here;
    double old = x_at(0.0, 0.0);
    double around = x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0);
    return old + at->set->rate * (around - 4.0 * old);
}
/*@ end */

void reference_step(int width, int height, const struct numbers *set, const double *const *array,
                    double *const *out)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            struct cell cell = {array, set, width, height, x, y, {0}};
            const vec2 here = {(single)x, (single)y};
            const long i = (long)y * width + x;
            /*@ result */
            cell.out[0] = kernel(&cell, here);
            /*@ end */
            for (int k = 0; k < STATES; k++)
                out[k][i] = cell.out[k];
        }
    }
}
