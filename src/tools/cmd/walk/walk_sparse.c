/* SPDX-License-Identifier: MIT */
/* The tour of a sparse product: its matrix, and the arrays that a variant keeps it in. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/spmv/spmv.h"
#include "lab/plan/plan.h"
#include "lab/plan/problem.h"
#include "toolkit/base/whole.h"
#include "tools/cmd/walk/walk.h"

/* ---- Stage 1: the matrix ---- */

static const char *entries(size_t count)
{
    return count == 1 ? "entry" : "entries";
}

/* A small matrix in numbers, with x beside it; a larger one in signs. */
static void print_dense(const struct trace *trace)
{
    enum { MOST_NUMBERS = 8, MOST_SIGNS = 64, MOST_OFFSETS = 16 };
    int offset[MOST_OFFSETS + 1];
    const struct qp_problem *p = trace->plan->problem;
    const struct qp_sparse *a = p->sparse;
    const bool numbers = a->rows <= MOST_NUMBERS;
    const int most = qp_least(a->rows, MOST_SIGNS);
    fprintf(trace->out, "    %s: %s\n    %d x %d with %zu %s, row 0 at the top%s:\n", p->kind,
            p->op->equation, a->rows, a->rows, a->count, entries(a->count),
            numbers ? ", and x" : "");
    for (int i = 0; i < most; i++) {
        size_t k = a->first[i];
        fputs(numbers ? "   " : "    ", trace->out);
        for (int j = 0; j < most; j++) {
            const bool is_entry = k < a->first[i + 1] && a->column[k] == j;
            if (numbers)
                trace_print_number(trace->out, is_entry ? (double)a->value[k] : NAN, 3, '.');
            else
                fputc(is_entry ? '#' : '.', trace->out);
            k += is_entry;
        }
        if (numbers)
            fprintf(trace->out, "   | %6.3f", (double)p->field[QP_SPMV_X].values[i]);
        fputs(a->rows > most ? " ...\n" : "\n", trace->out);
    }
    const int count = qp_sparse_offsets(a, MOST_OFFSETS, offset);
    const size_t longest = qp_sparse_longest(a, 0, a->rows);
    fprintf(trace->out, "    the longest row has %zu %s; %s%d diagonal%s", longest,
            entries(longest), count > MOST_OFFSETS ? "more than " : "",
            qp_least(count, MOST_OFFSETS), count == 1 ? "" : "s");
    for (int i = 0; i < count && count <= MOST_OFFSETS; i++)
        fprintf(trace->out, "%s %d", i == 0 ? ", column - row =" : ",", offset[i]);
    fputc('\n', trace->out);
}

/* ---- Stage 2: its arrays ---- */

#define SLOTS "values, slices of four rows, a line for each slot"
#define HEADS "texel (x, y) of its first slot, slots; a line for each slice"

/* Words for an array; the field whose zeros show which of its numbers are padding, 0 for none; and
 * what numbers are by their bits: floats, integers, or cells of x. */
static const struct {
    const char *text;
    int values;
    enum { FLOATS, INTEGERS, CELLS } bits;
} of_field[QP_SPMV_FIELDS] = {
    [QP_SPMV_FIRST] = {"entries before each row, and in all", 0, INTEGERS},
    [QP_SPMV_COLUMN] = {"columns of entries, row after row", 0, INTEGERS},
    [QP_SPMV_VALUE] = {"values of entries, row after row", 0, FLOATS},
    [QP_SPMV_SLICE_FIRST] = {"slots before each slice of 32 rows, and in all", 0, INTEGERS},
    [QP_SPMV_SLICE_COLUMN] = {"columns, a slot of all rows a line", QP_SPMV_SLICE_VALUE, INTEGERS},
    [QP_SPMV_SLICE_VALUE] = {"values, a slot of all rows a line", QP_SPMV_SLICE_VALUE, FLOATS},
    [QP_SPMV_DIAGONALS] = {"four rows a line, a line for each diagonal", QP_SPMV_DIAGONALS, FLOATS},
    [QP_SPMV_OFFSETS] = {"cells of x right and up, diagonals; a line for each", 0, FLOATS},
    [QP_SPMV_SLICED_VALUE] = {SLOTS, QP_SPMV_SLICED_VALUE, FLOATS},
    [QP_SPMV_SLICED_COLUMN] = {"columns, in the same order", QP_SPMV_SLICED_VALUE, CELLS},
    [QP_SPMV_SLICED_HEAD] = {HEADS, 0, FLOATS},
    [QP_SPMV_ELL_VALUE] = {SLOTS, QP_SPMV_ELL_VALUE, FLOATS},
    [QP_SPMV_ELL_COLUMN] = {"columns, in the same order", QP_SPMV_ELL_VALUE, CELLS},
    [QP_SPMV_ELL_HEAD] = {HEADS, 0, FLOATS},
    [QP_SPMV_SORTED_ENTRIES] = {"value, cell (x, y) of x; longest rows first", 0, FLOATS},
    [QP_SPMV_SORTED_POINTERS] = {"texel (x, y) of each row's first entry, longest first", 0,
                                 FLOATS},
    [QP_SPMV_SORTED_ROWS] = {"texel (x, y) of its sum, sums; rows as given", 0, FLOATS},
};

/* The values of a field, as they are packed; NULL for field 0, or without memory. */
static float *values_of(const struct trace *trace, int field, int *count)
{
    const struct qp_size size = qp_spmv_field_size(trace->plan->problem, field);
    *count = size.width * size.height;
    float *values = field > 0 ? malloc((size_t)*count * sizeof *values) : NULL;
    if (values == NULL ||
        qp_spmv_derive(trace->plan->problem, field, QP_FLOATS, (size_t)*count, values) == QP_OK)
        return values;
    free(values);
    return NULL;
}

/* The number that a field holds by these bits. */
static double number_of(const struct trace *trace, int field, float value)
{
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    return of_field[field].bits == FLOATS ? (double)value
           : of_field[field].bits == CELLS
               ? (bits & 0xffff) + (unsigned)trace->plan->problem->width * (bits >> 16)
               : bits;
}

/* Number after the last of a printed line that begins at k: a texel of four, a row of the matrix,
 * a slot of all rows of a slice, or a dozen. */
static int end_of(const struct trace *trace, int field, int channels, int k)
{
    enum { IN_LINE = 12, SLICE = 32 };
    const struct qp_sparse *a = trace->plan->problem->sparse;
    if (channels > 1)
        return k + channels;
    if (field == QP_SPMV_SLICE_COLUMN || field == QP_SPMV_SLICE_VALUE)
        return k + SLICE;
    const bool by_rows = field == QP_SPMV_COLUMN || field == QP_SPMV_VALUE;
    for (int i = 0; i < a->rows && by_rows; i++)
        if ((size_t)k < a->first[i + 1])
            return qp_least((int)a->first[i + 1], k + IN_LINE);
    return k + IN_LINE;
}

static void print_field(const struct trace *trace, const char *name, int field, int channels)
{
    enum { MOST_LINES = 24, MOST_COLUMNS = 12 };
    int count, printed = 0;
    float *marks = values_of(trace, of_field[field].values, &count),
          *values = values_of(trace, field, &count);
    fprintf(trace->out, "    %s: %s%s\n", name, of_field[field].text,
            marks != NULL ? "; a dot is padding" : "");
    for (int k = 0, end; values != NULL && k < count && printed < MOST_LINES; k = end, printed++) {
        end = qp_least(count, end_of(trace, field, channels, k));
        fputs("   ", trace->out);
        for (int i = k; i < qp_least(end, k + MOST_COLUMNS); i++) {
            const bool is_padding = marks != NULL && marks[i] == 0.0f;
            trace_print_number(trace->out, is_padding ? NAN : number_of(trace, field, values[i]),
                               of_field[field].bits == FLOATS ? 3 : 0, '.');
        }
        fputs(end > k + MOST_COLUMNS ? " ...\n" : "\n", trace->out);
    }
    fputs(printed == MOST_LINES ? "    ...\n" : "", trace->out);
    free(marks);
    free(values);
}

/* Variants on the CPU read the matrix by rows where the problem has it. */
static void print_arrays(const struct trace *trace)
{
    static const char *const names[] = {"first", "column", "value"};
    const struct qp_input *input = trace->plan->variant->recipe->input;
    walk_layouts(trace);
    for (int i = 0; i < 3 && trace->plan->variant->backend == QP_CPU; i++)
        print_field(trace, names[i], QP_SPMV_FIRST + i, 1);
    for (int i = 0; i < trace->plan->inputs; i++) {
        if (input[i].field[0] >= QP_SPMV_STORED)
            print_field(trace, input[i].name, input[i].field[0],
                        trace->plan->input_layout[i].channels);
    }
}

/* From upload on a sparse product is like any other problem. */
const struct trace_stage walk_sparse[QP_STAGES + 1] = {
    [QP_STAGE_PROBLEM] = {NULL, print_dense},
    [QP_STAGE_PACK] = {NULL, print_arrays},
};
