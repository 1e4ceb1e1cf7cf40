/* SPDX-License-Identifier: MIT */
/* A grid computed in parts (domain decomposition). A part is a plan of its own, on the engine of
 * some other variant; it computes the cells it owns and, around them, a halo of its neighbours'
 * cells, so that several steps need nothing from outside: with each step the halo's outermost row
 * becomes wrong, and before the first wrong value would reach an owned cell, neighbours give each
 * other what they own (the exchange).
 *
 *     parts.c            the stages, each part's in its own thread
 *     parts_cut.c        where parts lie: strips of rows, or tiles of a width too
 *     parts_steps.c      steps, and what goes on while borders travel
 *     parts_exchange.c   borders: on the device, from device to device, through the host's memory,
 *                        between processes
 *     border.c           the memory of a border, and its way
 *     parts_answer.c     the change of a step, and the answer, put together
 *
 * It knows no operation: the variant names what runs in parts. */
#ifndef QP_ENGINES_PARTS_H
#define QP_ENGINES_PARTS_H

#include "lab/engines/parts/border.h"
#include "lab/engines/parts/link.h"
#include "lab/engines/parts/pool.h"
#include "lab/plan/plan.h"

/* Place where the parts of a run are computed. */
enum qp_parts_place {
    /* In the caller's thread and context: they give each other texels on the device. */
    QP_PARTS_TOGETHER,
    QP_PARTS_THREADS,   /* each in a thread of its own, and on OpenGL in a context of its own */
    QP_PARTS_PROCESSES, /* each in a process of the variant's link, there in the caller's thread */
};

/* Members of a variant that this engine reads. */
struct qp_parts_variant {
    /* Variants that parts run, each by its list and its name: all parts the first, or where there
     * are two the lowest part the first and the others the second. */
    struct {
        const struct qp_recipe *list;
        const char *name;
    } runs[2];
    enum qp_parts_place place;
    struct qp_link *link; /* link of QP_PARTS_PROCESSES */
    int texels;    /* most of a part each way, of QP_PARTS_TOGETHER; INT_MAX: as many as fit */
    int reach;     /* rows away from which a step takes values; 0: 1. Entries that wrap add one */
    int multiple;  /* number of rows at whose multiples parts begin; 0: any */
    int depth;     /* steps between exchanges unless asked for otherwise; 0: 1 */
    bool measures; /* the change is measured by a step more, over all cells */
    bool apart;    /* no device takes rows from another one's memory, though it could */
};

/* Cells of the whole grid. */
struct qp_part_area {
    int x, y, width, height;
};

struct qp_plan_part {
    struct qp_part_area own, all; /* all: with its halo */
    int process;                  /* process that computes it */
    int runs;                     /* number of what it runs, in the variant's list */
    int ordinal;               /* CUDA's number of the device that computes it; QP_ON_HOST: none */
    struct qp_problem problem; /* its window of the whole one's */
    struct qp_variant variant;
    struct qp_context *context;
    struct qp_plan *plan;
    /* Takes steps whose values nobody reads, to play a slower device; else NULL. */
    struct qp_plan *beside;
    /* Rows of cells at even or odd exchanges, below or above: those it gives, and of processes
     * those it takes. */
    struct qp_border give[2][2], take[2][2];
    bool swaps;    /* stage 6 is still to come */
    size_t leaked; /* objects of its context at the end */
    enum qp_status status;
    char sentence[512]; /* sentence of a status other than QP_OK */
};

/* A plan's own. */
struct qp_plan_parts {
    const struct qp_parts_variant *variant;
    struct qp_walk_desc desc;  /* description of each part's plan */
    int across, up, count;     /* count: across * up */
    int depth;                 /* steps between exchanges */
    int reach;                 /* rows away from which a step takes values */
    int halo;                  /* rows, and where tiles have neighbours beside them columns */
    int first, end;            /* parts of this process */
    int taken;                 /* steps so far; the halos are true after each `depth` of them */
    struct qp_plan_part *part; /* row by row from the bottom; none is empty */
    struct qp_pool *pool;      /* a thread a part; NULL: the caller's */
    double *sums;              /* while a change is measured, of all rows of the grid */
    void *values;              /* while it is read, of all cells */
    bool reads_target;
};

/* A plan's parts, from stage 2 on; NULL for plans of other engines. */
struct qp_plan_parts *qp_parts_of(const struct qp_plan *plan);

/* The variant that parts of this kind run, 0 or 1; NULL where there is one kind. */
const struct qp_recipe *qp_parts_run(const struct qp_parts_variant *own, int kind);

/* True if both kinds run the same. */
bool qp_parts_run_alike(const struct qp_parts_variant *own);

/* True for variants that share a grid between two kinds of parts, so that a split can be chosen. */
bool qp_parts_are_split(const struct qp_recipe *recipe);

/* Stage 2: cuts the grid, fills in all but a part's own. Errors: QP_UNSUPPORTED, QP_NO_MEMORY. */
enum qp_status qp_parts_cut(struct qp_plan *plan);

/* The part across * right and up from this one; NULL where the grid ends. */
struct qp_plan_part *qp_parts_neighbour(const struct qp_plan_parts *parts, int part, int right,
                                        int up);

/* ---- Work on all parts of this process (parts_work.c) ---- */

typedef enum qp_status qp_part_work(struct qp_plan *plan, struct qp_plan_part *part);

/* Each part's in its own thread; a part that failed does no more. Returns what settle does. */
enum qp_status qp_parts_work(struct qp_plan *plan, qp_part_work *on);

/* Stage 6 of a part, put off until its thread is at work again. */
void qp_parts_swap(struct qp_plan_part *part);

/* Keeps a failure with its sentence, which belongs to this thread; and makes the first of all
 * parts' failures, those of other processes too, the caller's. */
void qp_parts_keep(struct qp_plan_part *part, enum qp_status status);
enum qp_status qp_parts_settle(struct qp_plan *plan);

/* ---- Members of the engine (parts_steps.c, parts_answer.c) ---- */

enum qp_status qp_parts_passes(struct qp_plan *plan, int count);
enum qp_status qp_parts_change(struct qp_plan *plan, double *norm);
enum qp_status qp_parts_read(struct qp_plan *plan, bool target, void *texels);

/* ---- Exchange (parts_exchange.c) ---- */

/* A part's borders, once in its thread. Errors: QP_NO_MEMORY, QP_DEVICE; free them in any case. */
enum qp_status qp_parts_make_borders(const struct qp_plan *plan, struct qp_plan_part *part);
void qp_parts_free_borders(struct qp_plan_part *part);

/* Makes the halos of parts `first` up to `end` true, those of one thread, while the others do the
 * same. Between begin and end the owned rows that no halo reaches may be computed. `number` counts
 * exchanges. A failure is stored in its part. */
void qp_parts_exchange_begin(struct qp_plan_parts *parts, int first, int end, int number);
void qp_parts_exchange_end(struct qp_plan_parts *parts, int first, int end, int number);

#endif
