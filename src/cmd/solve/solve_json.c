/* SPDX-License-Identifier: MIT */
#include "cmd/solve/system.h"

#include <math.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "base/status.h"

static cJSON *make_record(const void *sides, int number)
{
    const struct qp_side *side = (const struct qp_side *)sides + number;
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

static cJSON *make_solution(const struct options *options, const struct qp_solution *s)
{
    const bool asked = options->variant != NULL || options->method != NULL;
    const char *reason = asked ? "asked for" : "the first listed for this kind of device";
    cJSON *record = cJSON_CreateObject();
    const bool good = records_add(record, "variant", records_string(s->variant->name)) &&
                      records_add(record, "method", records_string(s->method)) &&
                      records_add(record, "reason", records_string(reason)) &&
                      records_add(record, "width", records_number(s->width)) &&
                      records_add(record, "height", records_number(s->height)) &&
                      records_add(record, "iterations", records_number(s->steps)) &&
                      records_add(record, "rounds", records_number(s->rounds)) &&
                      records_add(record, "weight", records_number(s->weight)) &&
                      records_add(record, "residual", records_number(s->residual)) &&
                      records_add(record, "seconds", records_number(s->seconds)) &&
                      records_add(record, "ending", records_string(qp_ending_name(s->ending)));
    return records_keep(good, record);
}

enum qp_status solve_write_records(const struct options *options, struct qp_context *context,
                                   const struct qp_side *sides, int count)
{
    return cmd_write_rows(options, context, records_list(count, make_record, sides));
}

enum qp_status solve_write_solution(const struct options *options, struct qp_context *context,
                                    const struct qp_solution *solution)
{
    cJSON *records = cJSON_CreateArray();
    const bool good = records_append(records, make_solution(options, solution));
    return cmd_write_rows(options, context, records_keep(good, records));
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
