/* SPDX-License-Identifier: MIT */
/* The walk: one problem through the ten stages by one variant. Checks, benchmarks and solves are
 * all this walk. */
#ifndef QUADPASS_WALK_H
#define QUADPASS_WALK_H

#include <signal.h>
#include <stdbool.h>

#include <quadpass/context.h>
#include <quadpass/variant.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum qp_stage {
    QP_STAGE_PROBLEM = 1,
    QP_STAGE_PACK,
    QP_STAGE_UPLOAD,
    QP_STAGE_PROGRAM,
    QP_STAGE_PASS,
    QP_STAGE_SWAP,
    QP_STAGE_READBACK,
    QP_STAGE_UNPACK,
    QP_STAGE_REFERENCE,
    QP_STAGE_COMPARE,
    QP_STAGES = QP_STAGE_COMPARE
};

/* QP_NO_VERDICT: the walk was refused or stopped before there was one. QP_BOUND: a bound wrote
 * every cell, which is all that can be said of it. QP_UNCHECKED: a benchmark of a trial's variant
 * that nothing judges (trial.h). QP_CANNOT_TELL: a trial's kernel passes, and a trivial one would
 * too in every case, which is zeros, an input as it is, the state before, one step fewer, the mean
 * of each output or the answer of another seed. */
/* clang-format off */
enum qp_verdict { QP_NO_VERDICT, QP_PASS, QP_FAIL, QP_SKIP, QP_BOUND, QP_UNCHECKED,
                  QP_CANNOT_TELL, QP_VERDICTS };
/* clang-format on */

/* Styles of ping-pong: how the two textures of a feedback loop change roles. */
enum qp_pingpong_style {
    QP_TWO_ATTACHMENTS, /* default: one framebuffer object, two attachments */
    QP_TWO_FBOS,        /* two framebuffer objects, one texture each */
    QP_REATTACH,        /* a single framebuffer object, the target attached anew before each pass */
    QP_COPY,            /* a single target, copied back into the source after each pass */
    QP_PINGPONG_STYLES
};

enum qp_texture_target { QP_RECTANGLE, QP_2D, QP_TEXTURE_TARGETS };

struct qp_plan;

/* Weights of steps, one after the other and then again from the first. */
struct qp_weights {
    const double *value;
    int count;
};

/* Ways of rows from one part of a grid to its neighbour, the shortest first. */
enum qp_borders {
    QP_BORDERS_NONE,   /* a single part */
    QP_BORDERS_DEVICE, /* on the device that computes both */
    QP_BORDERS_PEERS,  /* from one device's memory to another one's */
    QP_BORDERS_LOCKED, /* through page-locked (pinned) memory of the host */
    QP_BORDERS_HOST,   /* through the host's memory, or messages */
    QP_BORDERS
};

/* Cuts of a grid, for variants that compute it in parts. Zero means default. */
struct qp_parts_desc {
    int count; /* parts, of variants with a thread for each; 0: 2 */
    int depth; /* steps between exchanges of borders; 0: the variant's own choice */
    /* Rows of cells of the lowest part (in hybrid variants the CPU's), for variants that share a
     * grid between two kinds of parts; below 0: none; 0: the split that `quadpass model` has
     * learned on this device, or else alike. */
    int split;
    int slow; /* plays a slower device: the lowest part takes each step so often; 0: once */
    /* Async factor of asynchronous variants, whose parts are thread blocks: a launch, which counts
     * as one iteration, takes alpha + 1 steps; below 0: alpha is 0; 0: the variant's own choice. */
    int alpha;
    /* Results of a run, not settings: */
    /* Devices of CUDA that computed parts in this process; one that has several parts counts
     * once. */
    int devices;
    /* The longest way between two of its devices, or else between any parts. */
    enum qp_borders borders;
};

/* Zero means default. */
struct qp_walk_desc {
    int iterations; /* 0 is allowed: nothing is computed, the start comes back */
    enum qp_pingpong_style pingpong;
    enum qp_texture_target target;
    /* Groups of compute shaders, 1024 invocations at most; both 0: the fastest here. */
    int group_x, group_y;
    /* Texels each way, for variants that draw in blocks, 0: 64, or as many as fit; for transfers in
     * pieces the rows of a piece, for spmv/diagonals those in a draw, for CUDA blocks the rows of
     * threads, 0: the variant's own choice. */
    int block;
    bool unchecked;     /* leave out stages 9 and 10: no reference, verdict QP_PASS means finite */
    bool keep_solution; /* hand the answer over in the result */

    /* Stage 4 draws for at least this long, an hour at most: a GPU raises its clock under load
     * only. */
    double warm_seconds;

    /* Called after each stage (after the first pass and swap only), for those who watch. `plan` is
     * the run as the library keeps it: of no use outside. The work of the stage is waited for
     * first. */
    void (*on_stage)(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds);
    /* Called every `every` steps (0: never) with sqrt(sum r^2) / ||b||, r = b - A x of the iterate
     * before the latest step, computed on the device; variants that overwrite that iterate, such as
     * poisson5/red_black, give the residual of the one after it; false ends the run. */
    bool (*on_residual)(void *user, int step, double residual);
    int every;
    /* Called after each `every` steps, too, with how far their iterate is from `wanted`, as many
     * values as the answer has, which outlive the walk: max |x - wanted| and the 2-norm of x -
     * wanted; false ends the run. */
    bool (*on_distance)(void *user, int step, double largest, double norm);
    const double *wanted;
    /* Looked at before each step, of stage 9 too. Non-zero ends the run, and unless it is unchecked
     * its verdict is QP_SKIP, for stages 9 and 10 are left out. */
    const volatile sig_atomic_t *interrupt;
    /* Asked after each on_residual that lets the run go on, and where an interrupt ends it: true if
     * the iterate after this step is to be handed to on_state. */
    bool (*wants_state)(void *user, int step);
    /* Takes that iterate, as in result->solution, but it is the walk's own and lives until this
     * returns; false ends the run. A later walk goes on from there bit for bit, with `first` and
     * this start. */
    bool (*on_state)(void *user, int step, const struct qp_matrix *x);
    void *user;
    /* Steps that an earlier walk has taken to the problem's start. All numbers of steps count them,
     * `iterations` too, and a list of weights goes on after them. For unchecked walks alone. */
    int first;
    /* Log the pivots of an elimination in fragment shaders, and refuse a pivot that is zero or too
     * small by the name of its column: one draw more for every column. Without it a failed answer
     * is computed once more with the log, for the name. */
    bool log_pivots;
    /* A weight for each step, as methods like Chebyshev's have them; they outlive the walk. NULL:
     * the problem's for all. For variants of poisson5. */
    const struct qp_weights *weights;
    struct qp_parts_desc parts;
    void (*on_end)(void *user); /* called once, right after the last step's end was timed */
    bool timed; /* its time counts: a trial's arrays get no guards, which would cost time */
};

struct qp_result {
    enum qp_verdict verdict;
    char reason[512];     /* why it failed or was skipped */
    enum qp_status cause; /* status of the stage that failed; QP_OK if none did */
    int iterations;       /* steps done, those before `first` too */
    int group_x, group_y; /* group of a compute shader, else 0 */
    int block;            /* block size of variants that have blocks, else 0 */
    double occupancy;     /* share of a CUDA multiprocessor's threads, where it is reported, or 0 */
    struct qp_parts_desc parts;      /* parts as the grid was cut, for variants in parts; else 0 */
    double vertices;                 /* drawn in one step, on average */
    enum qp_pingpong_style pingpong; /* style of the run: some variants and devices leave none */
    int threads; /* threads of the library that the variant calls, if it says how many; else 0 */
    /* The largest |x - reference| over the largest sum one update forms; for both gauss_jordans max
     * |b - A x| / (||A|| ||x|| + ||b||). */
    double error;
    double error_rms; /* the same as a root mean square over all cells */
    double tolerance;
    int worst_x, worst_y, worst_system;
    enum qp_stage failed; /* stage whose status `cause` is; 0: none, or what is before the first */
    double pack_seconds, upload_seconds, program_seconds;
    double run_seconds; /* all passes and swaps together, waited for */
    double readback_seconds, unpack_seconds;
    /* Answer, with keep_solution: answer_width x (systems * answer_height) as in struct qp_problem,
     * in floats, or in doubles of a variant in double, such as jacobi9/cuda_double and
     * jacobi9/reference. The caller frees it by qp_matrix_destroy; all zero where there is none. */
    struct qp_matrix solution;
};

/* Walks one problem by one variant. `context` may be NULL for CPU variants, and `desc` for all
 * defaults: no steps. A failed check or an unsupported problem is a verdict in *result and QP_OK;
 * other codes mean that the walk was stopped without a verdict. Errors: QP_NO_MEMORY, QP_DEVICE,
 * QP_BAD_USE (NULL or a number out of range in the description, a context of another thread, a
 * forked process: context.h). Owner: of result->solution, with keep_solution, the caller, by
 * qp_matrix_destroy. Threads: the context's; a problem is in one walk at a time, which keeps its
 * reference there. */
enum qp_status qp_walk(struct qp_context *context, const struct qp_variant *variant,
                       struct qp_problem *problem, const struct qp_walk_desc *desc,
                       struct qp_result *result);

/* Names, as tables and records print them. Errors: none; "none" for a number out of range. Owner:
 * the library, for ever. Threads: any. */
const char *qp_stage_name(enum qp_stage stage);
const char *qp_verdict_name(enum qp_verdict verdict);
const char *qp_pingpong_name(enum qp_pingpong_style style);
const char *qp_target_name(enum qp_texture_target target);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
