/* SPDX-License-Identifier: MIT */
#include "cmd/model/model_json.h"

#include <math.h>

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

/* The ends of a row: its times, and what the model is. */
static bool add_times(cJSON *row, const struct qp_model *model, double measured, double predicted,
                      const bool marks[2], int devices)
{
    return records_add(row, "seconds_a_step", records_number(measured)) &&
           records_add(row, "predicted", records_number(predicted)) &&
           records_add(row, "ratio", records_number(predicted / measured)) &&
           records_add(row, "best", records_number(marks[0])) &&
           records_add(row, "fastest", records_number(marks[1])) && add_model(row, model) &&
           records_add(row, "devices", records_number(devices));
}

/* A row for so many lines of the grid. */
static cJSON *make_row(const struct qp_tuned *tuning, const struct qp_record *record,
                       const char *runs, int lines)
{
    cJSON *row = cJSON_CreateObject();
    const bool good =
        row != NULL && records_add(row, "variant", records_string(record->variant->name)) &&
        records_add(row, "width", records_number(record->width)) &&
        records_add(row, "height", records_number(tuning->model.height)) &&
        records_add(row, "iterations", records_number(record->iterations)) &&
        records_add(row, "depth", records_number(record->parts.depth)) &&
        records_add(row, "slow", records_number(record->parts.slow > 1 ? record->parts.slow : 1)) &&
        records_add(row, "runs", records_string(runs)) &&
        records_add(row, "rows", records_number(lines));
    return records_keep(good, row);
}

static cJSON *make_run(const struct qp_tuned *tuning, int k)
{
    const struct qp_tuned_split *run = &tuning->run[k];
    const bool marks[2] = {k == tuning->best, k == tuning->optimum};
    cJSON *row = make_row(tuning, &run->record, whats[run->what], run->rows);
    return records_keep(row != NULL && add_times(row, &tuning->model, run->measured, run->predicted,
                                                 marks, run->record.parts.devices),
                        row);
}

/* A prediction for more devices than there are. */
static cJSON *make_prediction(const struct qp_tuned *tuning, int devices)
{
    static const bool marks[2];
    const struct qp_model *model = &tuning->model;
    cJSON *row = make_row(tuning, &tuning->run[tuning->best].record, "not measured",
                          model->height / devices);
    return records_keep(
        row != NULL &&
            add_times(row, model, NAN, qp_model_seconds_on(model, devices), marks, devices),
        row);
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
        for (int n = qp_tuned_next_devices(&tunings[i], 2); n > 0 && good;
             n = qp_tuned_next_devices(&tunings[i], n))
            good = records_append(rows, make_prediction(&tunings[i], n));
    }
    return records_write_rows(options->json, options->csv, &head, records_keep(good, rows));
}
