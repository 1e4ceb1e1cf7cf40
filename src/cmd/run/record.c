/* SPDX-License-Identifier: MIT */
#include "cmd/run/record.h"

#include "base/status.h"
#include "cmd/options_run.h"
#include "cmd/run/outcome.h"

/* What x is in the end. */
static bool add_values(cJSON *row, const struct options *options, const struct run_record *record)
{
    const struct run_range range = outcome_range(record->x);
    const bool reduces = options->reduction != REDUCE_NOTHING;
    const char *name = reduces ? options_reduction(options->reduction) : NULL;
    return records_add(row, "min", records_number(range.low)) &&
           records_add(row, "max", records_number(range.high)) &&
           records_add(row, "mean", records_number(range.mean)) &&
           records_add(row, "reduce", records_string(name)) &&
           records_add(row, "reduced", records_number(record->reduced));
}

static cJSON *make_row(const struct options *options, const struct run_record *record)
{
    cJSON *row = cJSON_CreateObject();
    const bool judged = record->verdict != QP_SKIP;
    const bool good =
        row != NULL && records_add(row, "shader", records_string(record->shader)) &&
        records_add(row, "width", records_number(record->x->width)) &&
        records_add(row, "height", records_number(record->x->height)) &&
        records_add(row, "channels", records_number(record->x->channels)) &&
        records_add(row, "iterations", records_number(options->steps)) &&
        records_add(row, "seconds", records_number(record->seconds)) &&
        add_values(row, options, record) &&
        records_add(row, "error", records_number(record->error)) &&
        records_add(row, "tolerance", records_number(record->allowed)) &&
        records_add(row, "verdict",
                    records_string(judged ? qp_verdict_name(record->verdict) : NULL)) &&
        records_add(row, "reason", records_string(record->reason));
    return records_keep(good, row);
}

enum qp_status run_record_write(const struct options *options, struct qp_context *context,
                                const struct run_record *record)
{
    cJSON *rows = cJSON_CreateArray();
    const bool good = records_append(rows, make_row(options, record));
    return cmd_write_rows(options, context, records_keep(good, rows));
}
