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
#define IS_WHOLE 0  /* it is an integer */
#define NAME     "heat"

enum { REACH = 1 };  /* cells that a cell looks, each way */
enum { STATES = 1 }; /* arrays that a step writes */
enum { ARRAYS = 1 }; /* all: the states, then those that are only read */

enum { STEPS = 100, WIDTH = 65, HEIGHT = 65 }; /* by default */
#define SEED       1u                          /* of random arrays */
#define TOLERANCE  0x1p-20                     /* of a step, in parts of the largest magnitude */
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
    double beyond; /* with VALUE */
};

#ifdef __cplusplus
extern "C" {
#endif

extern const struct array arrays[ARRAYS];

/* Rows of a grid that one machine computes, from `begin` up to `end`, and those that it keeps:
 * `kept` rows from `low` on, which has a copy's number, below 0 or above the grid, where arrays
 * wrap. */
struct part {
    int begin, end, low, kept;
    int device;
};

/* Values of all arrays, row by row from the bottom. */
struct grid {
    int width, height;
    struct part part; /* of a machine that is made for it */
    real *cells[ARRAYS];
    struct numbers set;
};

/* ---- Machines that compute the steps (steps.c) ---- */

struct machine;

struct engine {
    /* A machine for its part of grids of this size and these numbers. */
    struct machine *(*create)(const struct grid *grid);
    void (*destroy)(struct machine *machine);

    /* Number of steps that it takes in one go, 1, 2, 4 or 8: as many as are asked for, or as fit; 0
     * asks for the fastest. */
    int (*at_once)(const struct machine *machine, int asked);

    /* Copies rows of an array to the machine, or of a state from it. */
    void (*put)(struct machine *machine, int array, int first, int count, const real *rows);
    void (*get)(struct machine *machine, int state, int first, int count, real *rows);

    /* Compiles what `steps` steps in one go take, NULL: nothing is; takes them, for `beyond` kept
     * rows around its part as well; waits for them, NULL: they are done. */
    void (*load)(struct machine *machine, int steps);
    void (*go)(struct machine *machine, int steps, int beyond);
    void (*finish)(struct machine *machine);

    /* The machine's name, for --time. */
    const char *(*name)(struct machine *machine);

    /* A setting of its own, NAME=VALUE of --set, before a machine is made; false: it has none of
     * this name. NULL: it has none. */
    bool (*set)(const char *name, size_t length, const char *value);

    /* Functions of engines with several devices, else NULL: how many there are; later work of a
     * machine waits for all that another has begun; it copies rows of another's states, from row
     * `source` on, in place of what it keeps of them. */
    int (*devices)(void);
    void (*follow)(struct machine *machine, struct machine *other);
    void (*borrow)(struct machine *machine, struct machine *owner, int row, int source, int count);

    /* Sides of the largest tiles into which it cuts grids, for the check. */
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

/* Rows of others that a part of a grid keeps on either side: they last for four goes. */
enum { HALO = 4 * MOST_AT_ONCE * REACH };

extern const struct engine ENGINE;

/* True for the process that reads, writes and prints; others compute alone. */
extern bool leads;

/* Steps that one is, for --time: more where a machine takes launches of several. */
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

/* Takes steps from the grid's values on, `at_once` at once; the states of `to` are theirs
 * afterwards. Returns the seconds of the steps alone. */
double advance(struct machine *machine, int steps, int at_once, const struct grid *from,
               struct grid *to);

/* Steps of a grid of this size, compared with the reference (judge.c): how many cases failed, of
 * those that it adds to *cases. */
int check_size(int width, int height, const struct numbers *set, int *cases);

/* Ends the program with a sentence. */
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);

/* Memory, to be freed; ends the program where there is none. */
void *allocate(size_t count, size_t bytes);

/* One step of all cells, in double, the plainest way. */
void reference_step(int width, int height, const struct numbers *set, const double *const *array,
                    double *const *out);

#ifdef __cplusplus
}
#endif

#endif
