/* SPDX-License-Identifier: MIT */
/* Steps that all parts of the demonstration share: find rows, count verdicts, keep a picture. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "cmd/demo/demo.h"
#include "cmd/output/figures.h"
#include "cmd/output/terminal.h"

const char *demo_name(const struct qp_record *record)
{
    return strchr(record->variant->name, '/') + 1;
}

const struct qp_record *demo_find(const struct qp_record *records, int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(demo_name(&records[i]), name) == 0)
            return &records[i];
    }
    return NULL;
}

const char *demo_gain(const struct demo_rung *rungs, const struct qp_record *record,
                      const struct qp_record *records, int count, char gain[DEMO_GAIN])
{
    snprintf(gain, DEMO_GAIN, "-");
    while (rungs->variant != NULL && strcmp(rungs->variant, demo_name(record)) != 0)
        rungs++;
    if (rungs->variant == NULL)
        return "-";
    const struct qp_record *below = demo_find(records, count, rungs->below);
    if (below == NULL || isnan(record->seconds) || isnan(below->seconds) ||
        figure_is_noisy(record) || figure_is_noisy(below))
        return rungs->paper;
    if (strstr(rungs->paper, "MFLOP/s") != NULL)
        snprintf(gain, DEMO_GAIN, "%+.0f MFLOP/s", 1e3 * (record->gflops - below->gflops));
    else
        snprintf(gain, DEMO_GAIN, "x%.2f on %s", record->glups / below->glups, demo_name(below));
    return rungs->paper;
}

bool demo_begin_line(FILE *out, const struct qp_record *record, int width)
{
    fprintf(out, "%-*s %s", width, demo_name(record), terminal_verdict(out, record->verdict, 5));
    if (isnan(record->seconds)) {
        fprintf(out, " %s\n", record->reason);
        return false;
    }
    if (record->verdict == QP_BOUND)
        fprintf(out, " %7s", "-");
    else
        fprintf(out, " %7.1e", record->error);
    return true;
}

int demo_rows(const char *op, const struct qp_variant *rows[])
{
    int count = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        if (strcmp(qp_variant_at(i)->op, op) == 0)
            rows[count++] = qp_variant_at(i);
    }
    return count;
}

void demo_count(struct demo *demo, const struct qp_variant *row, enum qp_verdict verdict)
{
    bool missed = verdict == QP_SKIP && cmd_is_required(demo->options, row);
    demo->verdicts[missed ? QP_FAIL : verdict]++;
}

enum qp_status demo_keep_picture(struct demo_picture *picture, int width, int height,
                                 const double *values)
{
    const size_t count = (size_t)width * (size_t)height;
    free(picture->values);
    picture->values = qp_alloc(count, sizeof *values, "a picture");
    if (picture->values == NULL)
        return QP_NO_MEMORY;
    memcpy(picture->values, values, count * sizeof *values);
    picture->width = width;
    picture->height = height;
    return QP_OK;
}
