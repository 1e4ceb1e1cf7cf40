/* SPDX-License-Identifier: MIT */
#include "cmd/solve/solve_json.h"

#include <math.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "base/status.h"

static cJSON *make_record(const struct qp_side *side)
{
    cJSON *record = cJSON_CreateObject();
    const bool good = records_add(record, "variant", records_string(side->variant->name)) &&
                      records_add(record, "method", records_string(qp_method_name(side->method))) &&
                      records_add(record, "reason", records_string(side->reason)) &&
                      records_add(record, "iterations", records_number(side->steps)) &&
                      records_add(record, "eliminations", records_number(side->eliminations)) &&
                      records_add(record, "residual", records_number(side->residual)) &&
                      records_add(record, "condition", records_number(side->condition)) &&
                      records_add(record, "certain_digits",
                                  records_number(side->digits >= 0 ? side->digits : NAN)) &&
                      records_add(record, "seconds", records_number(side->seconds)) &&
                      records_add(record, "ending", records_string(qp_ending_name(side->ending)));
    return records_keep(good, record);
}

static cJSON *make_records(const struct qp_side *sides, int count)
{
    cJSON *records = cJSON_CreateArray();
    bool good = records != NULL;
    for (int k = 0; k < count && good; k++)
        good = records_append(records, make_record(&sides[k]));
    return records_keep(good, records);
}

enum qp_status solve_write_records(const struct options *options, struct qp_context *context,
                                   const struct qp_side *sides, int count)
{
    const struct qp_device *device = context != NULL ? qp_context_device(context) : NULL;
    const struct records_head head = {.device = device != NULL ? device->renderer : NULL,
                                      .driver = device != NULL ? device->version : NULL,
                                      .command = options->command_line};
    if (options->json == NULL && options->csv == NULL)
        return QP_OK;
    return records_write_rows(options->json, options->csv, &head, make_records(sides, count));
}

enum qp_status solve_write_dense_records(const struct options *options, struct qp_context *context,
                                         const struct qp_dense_solution *solution)
{
    struct qp_side *sides =
        qp_alloc((size_t)solution->sides, sizeof *sides, "the records of an elimination");
    if (sides == NULL)
        return QP_NO_MEMORY;
    for (int k = 0; k < solution->sides; k++) {
        sides[k] = qp_dense_side(solution, k);
        snprintf(sides[k].reason, sizeof sides[k].reason, "%s%s",
                 options->variant != NULL ? solution->variant->name : "elimination",
                 options->variant != NULL ? " was asked for"
                                          : " was taken, for iteration makes no inverse");
    }
    const enum qp_status status = solve_write_records(options, context, sides, solution->sides);
    free(sides);
    return status;
}
