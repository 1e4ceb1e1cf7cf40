/* SPDX-License-Identifier: MIT */
/* Records of files in place of runs: bench --paper --from. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/table.h"
#include "toolkit/base/whole.h"
#include "tools/cmd/paper/bench_paper.h"

enum qp_status paper_read_given(struct paper_bench *bench)
{
    struct records_given *given = &bench->given;
    enum qp_status status = QP_OK;
    for (int i = 0; i < bench->options->from_count && status == QP_OK; i++)
        status = records_read(bench->options->from[i], given);
    paper_look_at_given(bench);
    return status;
}

void paper_look_at_given(struct paper_bench *bench)
{
    const struct records_given *given = &bench->given;
    for (int i = 0; i < given->count; i++) {
        const struct qp_record *record = &given->record[i];
        const bool ran = record->variant->backend == QP_CUDA && !isnan(record->seconds);
        const int devices = !ran ? 0 : record->parts.devices > 1 ? 2 : 1;
        bench->given_devices = devices > bench->given_devices ? devices : bench->given_devices;
    }
    const char *threads = strrchr(given->cpu, ',');
    if (threads == NULL || sscanf(threads, ", %d threads", &bench->given_threads) != 1)
        bench->given_threads = 0;
}

int paper_given_width(const struct paper_bench *bench, const char *problem, int first, int most)
{
    const struct records_given *given = &bench->given;
    int width = 0;
    for (int row = first; row < bench->variants; row++) {
        for (int i = 0; i < given->count; i++) {
            const struct qp_record *record = &given->record[i];
            if (record->variant == bench->variant[row] && strcmp(record->problem, problem) == 0 &&
                record->width == record->height && record->width <= most)
                width = qp_most(width, record->width);
        }
    }
    return width > 0 ? width : most;
}

/* True if a line asks for this block of the variant by its number. */
static bool is_asked_for(const struct paper_bench *bench, const struct qp_variant *variant,
                         int block)
{
    for (const struct paper_line *line = bench->line; line < bench->line + bench->lines; line++) {
        for (int row = line->first; row < line->end && line->block > 0; row++) {
            if (line->block == block && bench->variant[row] == variant)
                return true;
        }
    }
    return false;
}

static bool is_run(const struct qp_record *record, const struct paper_bench *bench,
                   const struct paper_line *line, const struct qp_variant *variant)
{
    const int steps = bench->options->iterations > 0 ? bench->options->iterations : line->steps;
    const int part = cmd_part(qp_op_find(variant->op), qp_variant_systems(variant));
    return record->variant == variant && strcmp(record->problem, line->problem) == 0 &&
           record->width == (line->width - 1) / part + 1 &&
           record->height == (line->height - 1) / part + 1 &&
           (steps <= 0 || record->iterations == steps) &&
           (line->parameter < 0 || record->parameter == line->parameter) &&
           (line->block > 0 ? record->block == line->block
                            : !is_asked_for(bench, variant, record->block));
}

/* Finds the first such record from number *next on, or else from the first on: a run writes them
 * in the order of its lines. NULL: there is none. */
static const struct qp_record *find(const struct paper_bench *bench, const struct paper_line *line,
                                    const struct qp_variant *variant, int *next)
{
    const struct records_given *given = &bench->given;
    for (int k = 0; k < given->count; k++) {
        const int number = (*next + k) % given->count;
        if (is_run(&given->record[number], bench, line, variant)) {
            *next = number + 1;
            return &given->record[number];
        }
    }
    return NULL;
}

enum qp_status paper_take_given(struct paper_bench *bench)
{
    static const struct qp_record none = {.verdict = QP_SKIP, .seconds = NAN};
    struct command *command = bench->command;
    enum qp_status status = QP_OK;
    int next = 0, most = 0;
    for (const struct paper_line *line = bench->line; line < bench->line + bench->lines; line++)
        most += line->end - line->first;
    bench->taken = calloc((size_t)most + 1, sizeof *bench->taken);
    if (bench->taken == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for the numbers of %d records", most);
    for (struct paper_line *line = bench->line; line < bench->line + bench->lines; line++) {
        line->record = command->count;
        line->left_out = true;
        for (int row = line->first; row < line->end && status == QP_OK; row++) {
            const struct qp_record *found = find(bench, line, bench->variant[row], &next);
            struct qp_record record = found != NULL ? *found : none;
            record.variant = bench->variant[row];
            bench->taken[command->count] = found != NULL ? (int)(found - bench->given.record) : -1;
            status = command_add(command, &record);
            line->left_out = line->left_out && found == NULL;
        }
        if (line->left_out)
            command->count = line->record;
    }
    if (status != QP_OK || command->count > 0)
        return status;
    return qp_fail(QP_BAD_INPUT,
                   "--from: no record is of paper %d; repeat the run's --size, --iterations and "
                   "--budget",
                   bench->options->paper);
}

int paper_link(const struct paper_bench *bench, const struct qp_record *record)
{
    return record != NULL && bench->links != NULL ? bench->taken[record - bench->command->records]
                                                  : -1;
}
