/* SPDX-License-Identifier: MIT */
/* Steps that all papers share: add variants and lines to a measurement, find a record. */
#include <math.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/base/whole.h"
#include "tools/cmd/paper/bench_paper.h"

void paper_refuse(struct paper_bench *bench, int most, const char *what)
{
    bench->plan = qp_fail(QP_UNSUPPORTED, "the tables of paper %d have more than %d %s",
                          bench->options->paper, most, what);
}

void paper_add_grid(struct paper_bench *bench, const struct paper_line *grid)
{
    const struct options *options = bench->options;
    if (options->width > 0 && (grid->width > options->width || grid->height > options->height))
        return;
    if (grid->first == bench->variants)
        return;
    if (bench->lines == MOST_PAPER_LINES) {
        paper_refuse(bench, MOST_PAPER_LINES, "grids");
        return;
    }
    bench->line[bench->lines] = *grid;
    bench->line[bench->lines++].end = bench->variants;
}

void paper_add_variant(struct paper_bench *bench, const char *name)
{
    const struct qp_variant *variant = qp_variant_find(name);
    if (variant != NULL && bench->variants == MOST_PAPER_VARIANTS)
        paper_refuse(bench, MOST_PAPER_VARIANTS, "variants");
    else if (variant != NULL)
        bench->variant[bench->variants++] = variant;
}

int paper_side(const struct paper_bench *bench, int usual)
{
    const struct options *options = bench->options;
    const int least = qp_least(options->width, options->height);
    return least > 0 ? qp_least(least, usual) : usual;
}

bool paper_left_out(const struct paper_bench *bench, int line)
{
    return line >= bench->lines || bench->line[line].left_out;
}

bool paper_failed_alone(struct paper_bench *bench, enum qp_status status)
{
    const bool alone = status == QP_DEVICE && !qp_context_is_lost(bench->command->context);
    bench->failed += alone;
    return alone;
}

int paper_tagged(const struct paper_bench *bench, int tag)
{
    for (int line = 0; line < bench->lines; line++) {
        if (bench->line[line].tag == tag)
            return line;
    }
    return -1;
}

const struct qp_record *paper_record(const struct paper_bench *bench, int number, const char *name)
{
    if (number < 0 || name == NULL)
        return NULL;
    const struct paper_line *line = &bench->line[number];
    for (int row = paper_left_out(bench, number) ? line->end : line->first; row < line->end;
         row++) {
        const struct qp_record *record = &bench->command->records[line->record + row - line->first];
        if (strcmp(bench->variant[row]->name, name) == 0)
            return bench->given.record == NULL || record->iterations > 0 ? record : NULL;
    }
    return NULL;
}

double paper_rate(const struct qp_record *record)
{
    return record != NULL ? record->glups : NAN;
}
