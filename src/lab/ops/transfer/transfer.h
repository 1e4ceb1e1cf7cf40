/* SPDX-License-Identifier: MIT */
/* Moving an array from the host to the device and back: the part common to all backends, with the
 * host's two arrays and the loop that moves one piece after the other. */
#ifndef QP_OPS_TRANSFER_TRANSFER_H
#define QP_OPS_TRANSFER_TRANSFER_H

#include "lab/plan/plan.h"

enum qp_transfer_kind {
    QP_TRANSFER_ROUND,
    QP_TRANSFER_UP,
    QP_TRANSFER_DOWN,
    QP_TRANSFER_OVERLAP,
    QP_TRANSFER_KINDS
};
enum qp_transfer_field { QP_TRANSFER_X, QP_TRANSFER_ARRIVED, QP_TRANSFER_STORED };

/* Both of the device's arrays in one shape. */
#define QP_TRANSFER_STANDS(...) \
    .state = __VA_ARGS__, .input = {QP_ARRAY("x", QP_TRANSFER_X, __VA_ARGS__)}

/* Additions of QP_TRANSFER_OVERLAP's kernel: + 1 this many times, one after the other, on each
 * value. On a device of 2022 they take somewhat less time than the value's way through the bus. */
enum { QP_TRANSFER_ADDITIONS = 1024 };

/* Ways of values into the device's memory and out of it. */
enum qp_transfer_way {
    /* A call between the program's own array and the device's, which returns when the array may be
     * changed or read. */
    QP_TRANSFER_PLAIN,
    /* Through buffers that the driver can reach: pixel buffers, mapped for each copy, or with CUDA
     * page-locked memory. */
    QP_TRANSFER_BUFFERS,
    /* Through pixel buffers that are mapped once and for all; with CUDA nothing is copied (zero
     * copy): kernels read and write the program's own array, page-locked. */
    QP_TRANSFER_MAPPED,
    /* Between the program's own array and the device's, without waiting: the array is page-locked
     * (pinned). */
    QP_TRANSFER_LOCKED
};

/* Whole rows of the array, the unit that moves. */
struct qp_piece {
    int index;
    int row, rows;
    size_t first, count; /* its values in the host's arrays */
};

/* A recipe's own data. */
struct qp_transfer {
    enum qp_transfer_way way;
    int pieces; /* number of pieces unless --block gives the rows of one; 0: one piece */
    int rows;   /* rows of a piece, in place of `pieces`; --block overrides them */
    int turns;  /* pieces under way at a time, each through a buffer or stream of its own; 0: one */
    bool waits; /* true: waits for each copy before the next */
    bool array; /* OpenGL with QP_TRANSFER_MAPPED: to a buffer object in place of a texture */
};

/* A mover: the functions by which a backend moves pieces. */
struct qp_mover {
    /* Stage 3, when the host's arrays are there: makes the device's side, the `own` below. close()
     * takes a half-made one too, and NULL. */
    enum qp_status (*open)(struct qp_plan *plan);
    void (*close)(struct qp_plan *plan);
    enum qp_status (*prepare)(struct qp_plan *plan); /* stage 4; NULL: nothing to do */
    const char *shader;                              /* shader of compute(); NULL: none */

    /* Steps of a piece: to the device, the kernel, and back; none waits unless it must. take() may
     * be NULL. */
    enum qp_status (*send)(struct qp_plan *plan, const struct qp_piece *piece);
    enum qp_status (*compute)(struct qp_plan *plan, const struct qp_piece *piece);
    enum qp_status (*ask)(struct qp_plan *plan, const struct qp_piece *piece); /* for it to come */
    /* Takes a piece that has arrived. */
    enum qp_status (*take)(struct qp_plan *plan, const struct qp_piece *piece);
    enum qp_status (*finish)(struct qp_plan *plan);

    /* Copies the device's array, guards and padding included, into texels, and back. */
    enum qp_status (*fetch)(struct qp_plan *plan, float *texels);
    enum qp_status (*reset)(struct qp_plan *plan, const float *texels);
};

/* Members of a plan; `own` is the backend's. */
struct qp_plan_transfer {
    const struct qp_mover *mover;
    const struct qp_transfer *how;
    float *source;  /* x as a program holds it: rows of texels, without gaps */
    float *arrived; /* likewise: what came back */
    size_t row;     /* values of a row */
    size_t count;   /* values of both */
    bool moved;     /* true after the first pass */
    void *own;
};

static inline struct qp_plan_transfer *qp_transfer_own(const struct qp_plan *plan)
{
    return plan->own;
}

enum qp_transfer_kind qp_transfer_kind_of(const struct qp_plan *plan);
bool qp_transfer_goes_up(const struct qp_plan *plan);
bool qp_transfer_comes_down(const struct qp_plan *plan);

/* Pieces of the array, and which turn one takes. */
int qp_transfer_pieces(const struct qp_plan *plan);
struct qp_piece qp_transfer_piece(const struct qp_plan *plan, int index);
int qp_transfer_turns(const struct qp_plan *plan);
int qp_transfer_turn(const struct qp_plan *plan, const struct qp_piece *piece);

/* Rows of a piece, if --block does not say: none for a recipe that moves all at once. */
extern const struct qp_block_rule qp_transfer_blocks;

/* Allocates values with QP_TRANSFER_GUARD NaN before and after them, which nothing may touch; NULL
 * with a sentence. This number of values keeps a device's array aligned to 256 bytes. */
enum { QP_TRANSFER_GUARD = 64 };
float *qp_guarded_create(size_t count, const char *what);
bool qp_guarded_intact(const float *values, size_t count);
void qp_guarded_destroy(float **values);

/* The domain's rows of texels out of a whole storage, and into one. */
void qp_transfer_gather(const struct qp_plan *plan, const float *texels, float *values);
void qp_transfer_scatter(const struct qp_plan *plan, const float *values, float *texels);

extern const struct qp_op qp_op_transfer;

/* Stages 3 to 7 of all variants: the host's side, and for the device's the mover of the variant's
 * backend. */
extern const struct qp_engine qp_engine_transfer;
extern const struct qp_mover qp_mover_cpu, qp_mover_gl, qp_mover_cuda;

enum { QP_TRANSFER_GL_TURNS = 2 }; /* most turns of a variant on OpenGL */

#endif
