/*@ origin */
/* heat.frag as C: what it computes, and over which arrays. */
/*@ end */
#ifndef STENCIL_H
#define STENCIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names that compilers define and a kernel may have. */
#undef unix
#undef linux
#undef i386

/*@ description */
typedef float real; /* a value of an array */
#define IS_WHOLE 0  /* 1: values are integers */
#define NAME     "heat"

enum { REACH = 1 };  /* distance of the farthest cell that a cell reads */
enum { STATES = 1 }; /* arrays that a step writes */
enum { ARRAYS = 1 }; /* all arrays: the states, then arrays that are only read */

enum { STEPS = 100, WIDTH = 65, HEIGHT = 65 }; /* by default */
#define SEED       1u                          /* seed of random arrays */
#define TOLERANCE  0x1p-20                     /* largest error of a step over the largest value */
#define IS_POISSON 0                           /* a step solves -laplace(x) = f */
/*@ end */

/*@ tuned */
/*@ end */
/* Numbers that --set changes, after the grid's size. */
struct numbers {
    struct {
        float x, y;
    } size;
    /*@ fields */
    float rate;
    /*@ end */
};

/* An array: how it is made (FROM_FILE: from a file, or by --input alone), and what is outside of
 * it. */
enum origin { FROM_FILE, ZEROS, ONES, RANDOM, GRADIENT, IMPULSE, EXPRESSION };
enum outside { VALUE, CLAMP, WRAP };

struct array {
    const char *name;
    enum origin made;
    enum outside outside;
    double beyond; /* value outside, with VALUE */
};

#ifdef __cplusplus
extern "C" {
#endif

extern const struct array arrays[ARRAYS];

/* Rows of a grid for one machine: it computes rows from `begin` up to `end`, and keeps `kept` rows
 * from `low` on. Where arrays wrap, `low` may be the number of a row's copy, below 0 or above the
 * grid. */
struct part {
    int begin, end, low, kept;
    int device;
};

/* Values of all arrays, row by row from the bottom. */
struct grid {
    int width, height;
    struct part part; /* part of the grid for the machine that is made for it */
    real *cells[ARRAYS];
    struct numbers set;
};

/* ---- Machines that compute the steps (steps.c) ---- */

struct machine;

struct engine {
    /* Makes a machine for this part of grids of this size, with these numbers. */
    struct machine *(*create)(const struct grid *grid);
    void (*destroy)(struct machine *machine);

    /* Number of steps that the machine takes in one go, 1, 2, 4 or 8: as many as are asked for, or
     * as fit; 0 asks for the fastest. */
    int (*at_once)(const struct machine *machine, int asked);

    /* Copies rows of an array to the machine, or of a state from it. */
    void (*put)(struct machine *machine, int array, int first, int count, const real *rows);
    void (*get)(struct machine *machine, int state, int first, int count, real *rows);

    /* Compiles the kernel of `steps` steps in one go (NULL: no need); takes these steps, for
     * `beyond` kept rows around its part as well; waits for them (NULL: no need). */
    void (*load)(struct machine *machine, int steps);
    void (*go)(struct machine *machine, int steps, int beyond);
    void (*finish)(struct machine *machine);

    /* The machine's name, for --time. */
    const char *(*name)(struct machine *machine);

    /* Takes a setting of the engine's own, NAME=VALUE of --set, before a machine is made; false:
     * the name is another. NULL: the engine has no settings. */
    bool (*set)(const char *name, size_t length, const char *value);

    /* Functions of engines with several devices, else NULL: the number of devices; later work of a
     * machine waits for all work that another has begun; a machine copies rows of another's
     * states, from row `source` on, over its own copies of these rows. */
    int (*devices)(void);
    void (*follow)(struct machine *machine, struct machine *other);
    void (*borrow)(struct machine *machine, struct machine *owner, int row, int source, int count);

    /* Sides of the largest tiles into which the engine cuts grids, for the check. */
    void (*sides)(int *across, int *up);
};

#ifndef ENGINE /* the Makefile's word counts */
#define ENGINE engine
#endif
#ifdef STEPS
#undef MOST_AT_ONCE
#define MOST_AT_ONCE STEPS
#elif !defined MOST_AT_ONCE
#define MOST_AT_ONCE 8
#endif

/* Rows of other parts that a part keeps on either side: they last for four goes. */
enum { HALO = 4 * MOST_AT_ONCE * REACH };

extern const struct engine ENGINE;

/* True for the process that reads, writes and prints; others compute alone. */
extern bool leads;

/* Updates of a cell in one step, for --time: more than 1 where a step is a launch of several. */
extern int updates;

/* ---- For all files ---- */

static inline size_t cells_of(const struct grid *grid)
{
    return (size_t)grid->width * (size_t)grid->height;
}

/* Arrays without values, of one part. */
void make_grid(int width, int height, const struct numbers *set, struct grid *grid);
void free_grid(struct grid *grid);

void fill(struct grid *grid, int array, enum origin made, uint64_t seed);

/* An array in double, to be freed. */
double *copy_cells(const struct grid *grid, int array);

/* Takes steps from the grid's values on, `at_once` at once, and stores the resulting states in
 * `to`. Returns the seconds of the steps alone. */
double advance(struct machine *machine, int steps, int at_once, const struct grid *from,
               struct grid *to);

/* Compares steps of a grid of this size with the reference (judge.c). Adds the number of cases to
 * *cases, and returns how many of them failed. */
int check_size(int width, int height, const struct numbers *set, int *cases);

/* Ends the program with a sentence. */
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);

/* Memory, to be freed; ends the program if memory is short. */
void *allocate(size_t count, size_t bytes);

/* A step of all cells, in double, the plainest way. */
void reference_step(int width, int height, const struct numbers *set, const double *const *array,
                    double *const *out);

#ifdef __cplusplus
}
#endif

#endif
