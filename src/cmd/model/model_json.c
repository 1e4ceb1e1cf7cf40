/* SPDX-License-Identifier: MIT */
#include "cmd/model/model_json.h"

#include "base/status.h"

/* Names of enum qp_tuned_form. */
static const char *const whats[] = {"lower", "upper", "together", "sweep"};

/* What the parts are told apart by. */
static bool add_model(cJSON *row, const struct qp_model *model)
{
    return records_add(row, "lower_curve", records_string(qp_curve_name(model->part[0].form))) &&
           records_add(row, "upper_curve", records_string(qp_curve_name(model->part[1].form))) &&
           records_add(row, "lower_residual", records_number(model->part[0].residual)) &&
           records_add(row, "upper_residual", records_number(model->part[1].residual)) &&
           records_add(row, "exchange_seconds", records_number(model->exchange)) &&
           records_add(row, "hindrance", records_number(model->hindrance));
}

static cJSON *make_run(const struct qp_tuned *tuning, int k)
{
    const struct qp_tuned_split *run = &tuning->run[k];
    const struct qp_record *record = &run->record;
    cJSON *row = cJSON_CreateObject();
    const bool good =
        row != NULL && records_add(row, "variant", records_string(record->variant->name)) &&
        records_add(row, "width", records_number(record->width)) &&
        records_add(row, "height", records_number(tuning->model.height)) &&
        records_add(row, "iterations", records_number(record->iterations)) &&
        records_add(row, "depth", records_number(record->parts.depth)) &&
        records_add(row, "slow", records_number(record->parts.slow > 1 ? record->parts.slow : 1)) &&
        records_add(row, "runs", records_string(whats[run->what])) &&
        records_add(row, "rows", records_number(run->rows)) &&
        records_add(row, "seconds_a_step", records_number(run->measured)) &&
        records_add(row, "predicted", records_number(run->predicted)) &&
        records_add(row, "ratio", records_number(run->predicted / run->measured)) &&
        records_add(row, "best", records_number(k == tuning->best)) &&
        records_add(row, "fastest", records_number(k == tuning->optimum)) &&
        add_model(row, &tuning->model);
    return records_keep(good, row);
}

enum qp_status model_write_records(const struct options *options, struct qp_context *context,
                                   const struct qp_tuned *tunings, int count)
{
    const struct qp_device *device = context != NULL ? qp_context_device(context) : NULL;
    const struct records_head head = {.device = device != NULL ? device->renderer : NULL,
                                      .driver = device != NULL ? device->version : NULL,
                                      .command = options->command_line};
    if (options->json == NULL && options->csv == NULL)
        return QP_OK;
    cJSON *rows = cJSON_CreateArray();
    bool good = rows != NULL;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < tunings[i].count && good; k++)
            good = records_append(rows, make_run(&tunings[i], k));
    }
    return records_write_rows(options->json, options->csv, &head, records_keep(good, rows));
}
