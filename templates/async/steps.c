/*@ origin */
/* heat.frag as C or CUDA: blocks that take the steps of a launch each, or half steps by colour. */
/*@ end */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "async.h"

#include "glsl.h"

#ifdef __CUDACC__
#define DEVICE static __device__ __forceinline__
#else
#define DEVICE static inline
#endif

/* Arrays with a rim of one cell, which has what is outside. */
struct task {
    real *cells[ARRAYS], *target; /* cells (0, 0) of the arrays */
    int width, height, alpha, block;
    long pitch;
    struct numbers set;
};

/* ---- The kernel ---- */

/* A cell: every function of the kernel is called with it. */
struct cell {
    const struct task *task;
    const struct numbers *set;
    const real *state; /* the cell's value: in the grid, a block or registers */
    const real *own;   /* values of all arrays in the cell; NULL: the grid is read */
    long pitch;        /* distance of rows in `state` */
    int x, y;
    real out[STATES];
};

/* The value of an array beside the cell. Offsets are -1, 0 and 1. Compilers know the results of
 * comparisons early enough to use registers; they know those of conversions too late. */
DEVICE real at_of(const struct cell *at, int array, float dx, float dy)
{
    const int x = (dx >= 1) - (dx <= -1), y = (dy >= 1) - (dy <= -1);
    if (array == 0)
        return at->state[y * at->pitch + x];
    if (at->own != NULL && x == 0 && y == 0)
        return at->own[array];
    return at->task->cells[array][(at->y + y) * at->task->pitch + at->x + x];
}

#ifdef __CUDACC__
#define inline __device__ __forceinline__ /* functions of the kernel */
#endif

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

#undef inline

/* A step of a cell, from the values around `state`. */
DEVICE real stepped(const struct task *t, const real *state, long pitch, const real *own, int x,
                    int y)
{
    struct cell cell = {t, &t->set, state, own, pitch, x, y, {0}};
    const vec2 here = {(single)x, (single)y};
    /*@ result */
    cell.out[0] = kernel(&cell, here);
    /*@ end */
    return cell.out[0];
}

/* ---- A block: its cells and the fringe around them, in B1 and B2 ---- */

enum { PITCH = ACROSS + 2 };

struct block {
    const struct task *task;
    int x, y, across, up; /* its first cell in the grid; how many it has */
};

DEVICE struct block block_of(const struct task *t, int number)
{
    const int columns = (t->width + ACROSS - 1) / ACROSS;
    struct block b = {t, number % columns * ACROSS, number / columns * t->block, ACROSS, t->block};
    b.across = t->width - b.x < ACROSS ? t->width - b.x : ACROSS;
    b.up = t->height - b.y < t->block ? t->height - b.y : t->block;
    return b;
}

#ifdef __CUDACC__
#include "block.cuh"
#else

/* A block's threads, a column each, are turns of a loop. A turn is this number of threads; each of
 * its rows reads before it writes. All work between two barriers is done turn by turn; a turn of
 * all threads needs no barrier. */
enum { TOGETHER = SYNC == ASYNC1 || SYNC == ASYNC3 ? 32 : ACROSS };
#define BARRIER() (void)0
#define TURNS(t)  for (int t = 0; t < ACROSS; t += TOGETHER)

/* Copies a value from the grid, or to it, as a whole, since other blocks do so at the same time. */
static inline void move(const struct block *b, real *of, int x, int y, bool writes)
{
    volatile real *there = b->task->cells[0] + (b->y + y) * b->task->pitch + b->x + x;
    real *here = of + (y + 1) * PITCH + x + 1;
    if (writes)
        *there = *here;
    else
        *here = *there;
}

/* Copies the fringe from the grid, or the penultimate fringe, the outermost cells, to it: each
 * thread of a turn a column, and a row left and right. */
static inline void exchange(const struct block *b, real *of, int turn, bool writes)
{
    const int low = writes ? 0 : -1, right = b->across - 1 - low, top = b->up - 1 - low;
    for (int t = turn; t < turn + TOGETHER; t++) {
        for (int i = low + t; i <= right || i <= top; i += ACROSS) {
            if (i <= right) {
                move(b, of, i, low, writes);
                move(b, of, i, top, writes);
            }
            if (i > low && i < top) {
                move(b, of, low, i, writes);
                move(b, of, right, i, writes);
            }
        }
    }
}

/* Copies the block and its fringe into B1 and B2. */
static inline void fetch(const struct block *b, real *b1, real *b2, int turn)
{
    for (int t = turn; t < turn + TOGETHER; t++) {
        for (int x = t - 1; x <= b->across; x += ACROSS) {
            for (int y = -1; y <= b->up; y++) {
                move(b, b1, x, y, false);
                b2[(y + 1) * PITCH + x + 1] = b1[(y + 1) * PITCH + x + 1];
            }
        }
    }
}

/* A step of a turn's columns, row by row. */
static inline void compute(const struct block *b, const real *from, real *to, long pitch, int turn)
{
    const int end = turn + TOGETHER < b->across ? turn + TOGETHER : b->across;
    for (int y = 0; y < b->up; y++) {
        real row[TOGETHER];
        for (int x = turn; x < end; x++)
            row[x - turn] =
                stepped(b->task, from + (y + 1) * PITCH + x + 1, PITCH, NULL, b->x + x, b->y + y);
        for (int x = turn; x < end; x++)
            to[y * pitch + x] = row[x - turn];
    }
}

/* A launch: figure 17, and without some of its barriers, moves or B2 figures 18 to 20. */
static inline void take_launch(const struct block *b, real *b1, real *b2)
{
    const struct task *task = b->task;
    real *from = b1, *to = SYNC == ASYNC3 ? b1 : b2;
    TURNS(t)
    fetch(b, b1, b2, t);
    BARRIER();
    for (int v = 0; v < task->alpha; v++) {
        TURNS(t)
        {
            compute(b, from, to + PITCH + 1, PITCH, t);
            if (SYNC == ASYNC0)
                BARRIER();
            if (SYNC != ASYNC2)
                exchange(b, to, t, true);
            if (SYNC == ASYNC0)
                BARRIER();
            if (SYNC != ASYNC2)
                exchange(b, to, t, false);
            if (SYNC != ASYNC3)
                BARRIER();
        }
        real *other = from;
        from = to;
        to = other;
    }
    TURNS(t)
    compute(b, from, task->target + b->y * task->pitch + b->x, task->pitch, t);
}

#endif

/* Cells of one colour in a row, every `stride`-th from the cell `first` on, in place. */
DEVICE void step_colour(const struct task *t, int colour, int y, int first, int stride)
{
    for (int x = 2 * first + (y + colour) % 2; x < t->width; x += 2 * stride) {
        real *cell = t->cells[0] + y * t->pitch + x;
        *cell = stepped(t, cell, t->pitch, NULL, x, y);
    }
}

/* ---- Kernels ---- */

#ifdef __CUDACC__ /* quadpass has them compiled by themselves */

LAUNCH(4)
LAUNCH(8)
LAUNCH(16)
LAUNCH(32)

extern "C" __global__ void half_step(const struct task t, int colour)
{
    step_colour(&t, colour, (int)blockIdx.x, (int)threadIdx.x, (int)blockDim.x);
}

#endif
#ifndef __CUDACC_RTC__

/* ---- The device, or the processor's threads ---- */

static int blocks_in(const struct task *t)
{
    return (t->width + ACROSS - 1) / ACROSS * ((t->height + t->block - 1) / t->block);
}

#ifdef BEGIN

static void must(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        fail("the device cannot %s: %s", what, cudaGetErrorString(error));
}

/* Does something with the kernel for blocks of so many rows. */
#define WITH_LAUNCH(up, act) \
    switch (up) {            \
    case 4:                  \
        act(launch_4);       \
        break;               \
    case 8:                  \
        act(launch_8);       \
        break;               \
    case 16:                 \
        act(launch_16);      \
        break;               \
    default:                 \
        act(launch_32);      \
    }

static void begin(const struct task *t)
{
    for (int colour = 0; colour < 2 && SYNC == RED_BLACK; colour++)
        BEGIN(half_step, t->height, 256, 0, *t, colour);
#define LAUNCH_IT(kernel) BEGIN(kernel, blocks_in(t), ACROSS, 0, *t)
    if (SYNC != RED_BLACK)
        WITH_LAUNCH(t->block, LAUNCH_IT)
    must(cudaGetLastError(), "begin a launch");
}

static void load(struct machine *m, int steps)
{
    struct cudaFuncAttributes of;
#define LOAD_IT(kernel) must(cudaFuncGetAttributes(&of, kernel), "load a kernel")
    if (SYNC == RED_BLACK)
        LOAD_IT(half_step);
    else
        WITH_LAUNCH(async_block, LOAD_IT)
}

static void finish(struct machine *m)
{
    must(cudaDeviceSynchronize(), "finish a launch");
}

static void *hold(size_t bytes)
{
    void *memory = NULL;
    must(cudaSetDevice(0), "be used");
    must(cudaMalloc(&memory, bytes), "hold the arrays");
    return memory;
}

static void copy(real *to, const real *from, size_t bytes)
{
    must(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "copy an array");
}

#define release(memory) cudaFree(memory)

static void put_name(char *name, size_t size)
{
    struct cudaDeviceProp device;
    must(cudaGetDeviceProperties(&device, 0), "be found");
    snprintf(name, size, "%s", device.name);
}

#else
#include "cores.h"

static void begin(const struct task *t)
{
    for (int colour = 0; colour < 2 && SYNC == RED_BLACK; colour++) {
#pragma omp parallel for schedule(static)
        for (int y = 0; y < t->height; y++)
            step_colour(t, colour, y, 0, 1);
    }
    const int blocks = SYNC == RED_BLACK ? 0 : blocks_in(t);
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < blocks; k++) {
        real b1[(MOST_UP + 2) * PITCH], b2[(MOST_UP + 2) * PITCH];
        const struct block b = block_of(t, k);
        take_launch(&b, b1, b2);
    }
}

static void load(struct machine *m, int steps)
{
    yield_cores(omp_get_max_threads());
}

static void finish(struct machine *m)
{
}

#define hold(bytes)           allocate(bytes, 1)
#define copy(to, from, bytes) memcpy(to, from, bytes)
#define release(memory)       free(memory)

static void put_name(char *name, size_t size)
{
    snprintf(name, size, "threads: %d", omp_get_max_threads());
}

#endif

/* ---- The machine, for program.c ---- */

enum { LEFT = 32 }; /* values in front of a row, one of them in use */

struct machine {
    struct task task;
    real *padded; /* an array on the host, as tasks have it */
    size_t bytes; /* size of a padded array */
    char name[400];
};

static struct machine *create(const struct grid *grid)
{
    struct machine *m = (struct machine *)allocate(1, sizeof *m);
    struct task *t = &m->task;
    memset(m, 0, sizeof *m);
    t->width = grid->width;
    t->height = grid->height;
    t->alpha = async_alpha;
    t->block = async_block;
    t->set = grid->set;
    t->pitch = ((long)t->width + 2 * LEFT) / LEFT * LEFT;
    m->bytes = (size_t)t->pitch * (size_t)(t->height + 3) * sizeof(real);
    m->padded = (real *)allocate(m->bytes, 1);
    for (int k = 0; k <= ARRAYS; k++) {
        real *cells = (real *)hold(m->bytes) + t->pitch + LEFT;
        *(k < ARRAYS ? &t->cells[k] : &t->target) = cells;
    }
    updates = SYNC == RED_BLACK ? 1 : t->alpha + 1;
    put_name(m->name, 300);
    if (SYNC != RED_BLACK)
        snprintf(m->name + strlen(m->name), 99, ", blocks of %d x %d, alpha %d", ACROSS, t->block,
                 t->alpha);
    return m;
}

static real *start_of(const struct machine *m, real *cells)
{
    return cells - m->task.pitch - LEFT;
}

static void destroy(struct machine *m)
{
    for (int k = 0; k < ARRAYS; k++)
        release(start_of(m, m->task.cells[k]));
    release(start_of(m, m->task.target));
    free(m->padded);
    free(m);
}

static int at_once(const struct machine *m, int asked)
{
    return 1;
}

/* The cell that replaces a cell outside of an array; -1: a value does. */
static int inside(int i, int n, enum outside kind)
{
    if (i >= 0 && i < n)
        return i;
    return kind == WRAP ? (i + n) % n : kind == CLAMP ? (i < 0 ? 0 : n - 1) : -1;
}

/* Copies whole arrays, and adds the rim. */
static void put(struct machine *m, int array, int first, int count, const real *rows)
{
    const struct task *t = &m->task;
    for (int j = -1; j <= t->height; j++) {
        real *row = m->padded + (j + 1) * t->pitch + LEFT;
        for (int i = -1; i <= t->width; i++) {
            const int x = inside(i, t->width, arrays[array].outside),
                      y = inside(j, t->height, arrays[array].outside);
            row[i] = x < 0 || y < 0 ? (real)arrays[array].beyond : rows[(long)y * t->width + x];
        }
    }
    copy(start_of(m, t->cells[array]), m->padded, m->bytes);
    if (array == 0)
        copy(start_of(m, t->target), m->padded, m->bytes);
}

static void get(struct machine *m, int state, int first, int count, real *rows)
{
    const struct task *t = &m->task;
    copy(m->padded, start_of(m, t->cells[state]), m->bytes);
    for (int y = 0; y < t->height; y++)
        memcpy(rows + (long)y * t->width, m->padded + (y + 1) * t->pitch + LEFT,
               (size_t)t->width * sizeof(real));
}

static void go(struct machine *m, int steps, int beyond)
{
    real *other = m->task.target;
    begin(&m->task);
    if (SYNC != RED_BLACK) {
        m->task.target = m->task.cells[0];
        m->task.cells[0] = other;
    }
}

static const char *name(struct machine *m)
{
    return m->name;
}

static void sides(int *across, int *up)
{
    *across = ACROSS;
    *up = async_block;
}

const struct engine ENGINE = {create, destroy, at_once,    put,  get,  load, go,
                              finish, name,    set_launch, NULL, NULL, NULL, sides};

#endif
