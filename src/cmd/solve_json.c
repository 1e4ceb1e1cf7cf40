/* SPDX-License-Identifier: MIT */
#include "cmd/solve_json.h"

#include <math.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "base/status.h"

/* Null for what nobody knows. */
static bool add_number(cJSON *record, const char *key, double value)
{
    return isfinite(value) ? cJSON_AddNumberToObject(record, key, value) != NULL
                           : cJSON_AddNullToObject(record, key) != NULL;
}

static cJSON *make_record(const struct qp_side *side)
{
    cJSON *record = cJSON_CreateObject();
    const bool good =
        cJSON_AddStringToObject(record, "variant", side->variant->name) != NULL &&
        cJSON_AddStringToObject(record, "method", qp_method_name(side->method)) != NULL &&
        cJSON_AddStringToObject(record, "reason", side->reason) != NULL &&
        add_number(record, "iterations", side->steps) &&
        add_number(record, "eliminations", side->eliminations) &&
        add_number(record, "residual", side->residual) &&
        add_number(record, "condition", side->condition) &&
        add_number(record, "certain_digits", side->digits >= 0 ? side->digits : NAN) &&
        add_number(record, "seconds", side->seconds) &&
        cJSON_AddStringToObject(record, "ending", qp_ending_name(side->ending)) != NULL;
    if (good)
        return record;
    cJSON_Delete(record);
    return NULL;
}

/* NULL without memory. */
static cJSON *make_tree(const struct records_head *head, const struct qp_side *sides, int count)
{
    cJSON *tree = records_head(head), *records = cJSON_AddArrayToObject(tree, "records");
    bool good = tree != NULL && records != NULL;
    for (int k = 0; k < count && good; k++) {
        cJSON *record = make_record(&sides[k]);
        good = record != NULL && cJSON_AddItemToArray(records, record);
        if (!good)
            cJSON_Delete(record);
    }
    if (good)
        return tree;
    cJSON_Delete(tree);
    return NULL;
}

enum qp_status solve_write_json(const struct options *options, struct qp_context *context,
                                const struct qp_side *sides, int count)
{
    const struct qp_device *device = context != NULL ? qp_context_device(context) : NULL;
    const struct records_head head = {.device = device != NULL ? device->renderer : NULL,
                                      .driver = device != NULL ? device->version : NULL,
                                      .command = options->command_line};
    return records_write_tree(options->json, make_tree(&head, sides, count));
}

enum qp_status solve_write_dense_json(const struct options *options, struct qp_context *context,
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
    const enum qp_status status = solve_write_json(options, context, sides, solution->sides);
    free(sides);
    return status;
}
