/* SPDX-License-Identifier: MIT */
/* Paper 4, the slides: the ladders of transposition and of reduction, whose figures are of a GTX
 * 280, and its curves of access at an offset and with a stride, of which it gives no numbers. */
#include <math.h>
#include <string.h>

#include "cmd/paper/bench_paper.h"
#include "cmd/paper/papers.h"
#include "cmd/paper/table.h"

enum { SLIDES = 4000, LARGER = 8192, SIDES = 2, ACCESS = 4096, MOST_OFFSET = 16, MOST_STRIDE = 18 };

/* The slides' matrix, and one that is larger than today's caches. */
static const int sides[SIDES] = {SLIDES, LARGER};

struct rung {
    const char *name;    /* in the table */
    const char *variant; /* NULL ends a ladder */
    const char *theirs;  /* the first cell of its line in the slides' file; NULL: ours alone */
};

/* The slides' own copy, which shares are of; and the fastest there is. */
static const char slides_copy[] = "transpose/cuda_copy_simple", roof[] = "transpose/cuda_copy";

static const struct rung copies[] = {
    {"copy", slides_copy, "copy"},
    {"copy, both sides interleaved", "transpose/cuda_copy_interleaved", "copy_interleaved"},
    {"copy within the blocks", "transpose/cuda_copy_shared", "copy_shared"},
    {"ours: copy, 16 bytes a thread", roof, NULL},
    {0}};

static const struct rung turns[] = {{"naive", "transpose/cuda_naive", "naive"},
                                    {"tiles of 16 x 16", "transpose/cuda_tiled_16", NULL},
                                    {"tiles of 32 x 32", "transpose/cuda_tiled_32", "tiled"},
                                    {"tiles of 48 x 48", "transpose/cuda_tiled_48", NULL},
                                    {"padded", "transpose/cuda_padded", "padded"},
                                    {"ours: in registers", "transpose/cuda_registers", NULL},
                                    {"ours: the fastest", "transpose/cuda_vectors", NULL},
                                    {0}};

static const struct rung reductions[] = {
    {"log2 n launches", "reduce/cuda_naive", NULL},
    {"1: interleaved", "reduce/cuda_interleaved", "1"},
    {"2: no divergence", "reduce/cuda_strided", "2"},
    {"3: no bank conflicts", "reduce/cuda_sequential", "3"},
    {"4: added while loading", "reduce/cuda_first_add", "4"},
    {"5: last warp unrolled", "reduce/cuda_unrolled_warp", "5"},
    {"5 with shuffle", "reduce/cuda_shuffle", NULL},
    {"6: all unrolled", "reduce/cuda_unrolled", "6"},
    {"7: several values a thread", "reduce/cuda_cascaded", "7"},
    {"ours", "reduce/cuda_tiles", NULL},
    {"CUB", "reduce/cuda_cub", NULL},
    {0}};

/* Columns of the curves. */
static const struct rung offsets[] = {{"4 bytes", "access/cuda_simple", NULL},
                                      {"without L1", "access/cuda_no_l1", NULL},
                                      {"__ldg", "access/cuda_ldg", NULL},
                                      {0}};

static const struct rung strides[] = {{"4 bytes", "access/cuda_simple", NULL},
                                      {"without L1", "access/cuda_no_l1", NULL},
                                      {"staged", "access/cuda_staged", NULL},
                                      {0}};

/* ---- Measured rows ---- */

/* Returns the number of the first of them. */
static int add_rungs(struct paper_bench *bench, const struct rung *rungs)
{
    const int first = bench->rows;
    for (; rungs->variant != NULL; rungs++)
        paper_add_row(bench, rungs->variant);
    return first;
}

/* Number of SIDES that --size leaves different. */
static int count_sides(const struct paper_bench *bench)
{
    return paper_side(bench, LARGER) > paper_side(bench, SLIDES) ? SIDES : 1;
}

static void add_ladder(struct paper_bench *bench, const struct rung *rungs, const char *problem)
{
    const int first = add_rungs(bench, rungs);
    for (int i = 0; i < count_sides(bench); i++) {
        const int side = paper_side(bench, sides[i]);
        paper_add_line(bench, problem, side, side, first);
    }
}

static void add_curve(struct paper_bench *bench, const struct rung *rungs, const char *problem,
                      int least, int most)
{
    const int first = add_rungs(bench, rungs), side = paper_side(bench, ACCESS);
    for (int parameter = least; parameter <= most; parameter++)
        paper_add_line(bench, problem, side, side, first)->parameter = parameter;
}

void paper4_plan(struct paper_bench *bench)
{
    bench->steps = PAPER_USUAL_STEPS;
    bench->repeats = 1; /* neighbours on a curve stand by it; each walk warms a GPU for 0.1 s */
    add_ladder(bench, copies, "copy");
    add_ladder(bench, turns, "transpose");
    add_ladder(bench, reductions, "sum");
    add_curve(bench, offsets, "offset", 0, MOST_OFFSET);
    add_curve(bench, strides, "stride", 1, MOST_STRIDE);
}

/* ---- Ladders ---- */

static const struct qp_record *record_of(const struct paper_bench *bench, const char *variant,
                                         int side, const char *problem, int parameter)
{
    for (int line = 0; line < bench->lines; line++) {
        const struct paper_line *here = &bench->line[line];
        const struct qp_record *record = paper_record(bench, line, variant);
        if (record != NULL && here->width == side && here->parameter == parameter &&
            strcmp(here->problem, problem) == 0)
            return record;
    }
    return NULL;
}

static double rate_of(const struct qp_record *record)
{
    return record != NULL ? record->gbytes_per_s : NAN;
}

/* GB/s, and the part of the copy's in the same run: theirs of theirs, ours of the same kernel. */
static void put_rung(struct table *table, const struct paper_bench *bench, const struct rung *rung,
                     const struct paper_table *theirs, double their_copy, const char *problem)
{
    const int line = rung->theirs != NULL ? paper_line(theirs, rung->theirs, NULL) : -1;
    table_text(table, "  %s", rung->name);
    table_theirs(table, theirs, line, "gbytes_per_s");
    table_number(table, 2, paper_number(theirs, line, "gbytes_per_s") / their_copy);
    for (int i = 0; i < count_sides(bench); i++) {
        const int side = paper_side(bench, sides[i]);
        const struct qp_record *ours = record_of(bench, rung->variant, side, problem, -1);
        const struct qp_record *copy = record_of(bench, slides_copy, side, "copy", -1);
        table_rate(table, 1, ours, rate_of(ours));
        table_ratio(table, 2, ours, copy, rate_of(ours) / rate_of(copy));
    }
}

static struct table begin_ladder(const struct paper_bench *bench, const char *title)
{
    struct table table = table_begin(bench);
    fprintf(table.out, "\n%s\n", title);
    table_columns(&table, "-32 |8 GB/s@GTX 280|7 / copy@GTX 280");
    for (int i = 0; i < count_sides(bench); i++) {
        const int side = paper_side(bench, sides[i]);
        table_columns(&table, "11 GB/s@%d x %d|10 / copy@%d x %d", side, side, side, side);
    }
    table_heads(&table);
    return table;
}

static void put_ladder(struct table *table, const struct paper_bench *bench,
                       const struct paper_table *theirs, double their_copy,
                       const struct rung *rungs, const char *problem)
{
    for (; rungs->variant != NULL; rungs++)
        put_rung(table, bench, rungs, theirs, their_copy, problem);
}

/* Speed-up of a transposition as the slides define it (slide 32). */
static void put_speedup(struct table *table, const struct paper_bench *bench,
                        const struct paper_table *theirs)
{
    table_text(table, "  padded / naive");
    table_theirs(table, theirs, paper_line(theirs, "transposition_speedup", NULL), "value");
    for (int i = 0; i < count_sides(bench); i++) {
        const int side = paper_side(bench, sides[i]);
        const struct qp_record *padded =
            record_of(bench, "transpose/cuda_padded", side, "transpose", -1);
        const struct qp_record *naive =
            record_of(bench, "transpose/cuda_naive", side, "transpose", -1);
        table_text(table, "%s", "");
        table_ratio(table, 1, padded, naive, rate_of(padded) / rate_of(naive));
    }
    table_end_row(table);
}

/* ---- Curves ---- */

static void print_curve(const struct paper_bench *bench, const char *title,
                        const struct rung *rungs, const char *problem, int least, int most)
{
    struct table table = table_begin(bench);
    fprintf(table.out, "\n%s\n", title);
    table_columns(&table, "-10   %s", problem);
    for (int i = 0; rungs[i].variant != NULL; i++)
        table_columns(&table, "12 %s", rungs[i].name);
    table_heads(&table);
    for (int parameter = least; parameter <= most; parameter++) {
        table_text(&table, "  %d", parameter);
        for (int i = 0; rungs[i].variant != NULL; i++) {
            const struct qp_record *ours =
                record_of(bench, rungs[i].variant, paper_side(bench, ACCESS), problem, parameter);
            table_rate(&table, 1, ours, rate_of(ours));
        }
    }
}

enum qp_status paper4_print(const struct paper_bench *bench)
{
    struct paper_table matrices, vectors, memory;
    enum qp_status status = paper_read("paper4-transposition.csv", &matrices);
    if (status == QP_OK)
        status = paper_read("paper4-reduction.csv", &vectors);
    if (status == QP_OK)
        status = paper_read("paper4-memory.csv", &memory);
    if (status != QP_OK)
        return status;
    const double copy =
        paper_number(&matrices, paper_line(&matrices, "copy", NULL), "gbytes_per_s");
    fprintf(bench->out,
            "\nPaper 4, the slides: GB/s of a GeForce GTX 280 (2008) and ours. A value that moves "
            "counts\n4 bytes read and 4 written, one that is reduced 4 bytes; / copy is the part "
            "of the\nGB/s of the slides' copy, %s, on either card; our fastest copy is\n%s.\n",
            slides_copy, roof);
    struct table moved = begin_ladder(bench, "Transposition of a matrix");
    put_ladder(&moved, bench, &matrices, copy, copies, "copy");
    put_ladder(&moved, bench, &matrices, copy, turns, "transpose");
    put_speedup(&moved, bench, &memory);
    struct table reduced = begin_ladder(bench, "Reduction of as many values");
    put_ladder(&reduced, bench, &vectors, copy, reductions, "sum");
    print_curve(bench, "Unaligned access: GB/s, each thread reads this many values further on",
                offsets, "offset", 0, MOST_OFFSET);
    print_curve(bench, "Interleaved access: GB/s, threads read values so far apart", strides,
                "stride", 1, MOST_STRIDE);
    return QP_OK;
}
