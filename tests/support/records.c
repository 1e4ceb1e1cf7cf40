/* SPDX-License-Identifier: MIT */
#include "support/records.h"

#include <stdio.h>

#include "support/shell.h"

cJSON *run_json(const char *arguments, int code)
{
    char line[1024];
    snprintf(line, sizeof line, "%s 2>said", arguments);
    int got = run(line);
    cJSON *tree = cJSON_Parse(output);
    if (got != code || tree == NULL)
        fail_msg("'%s' gave %d and: %s", arguments, got, output);
    return tree;
}

const cJSON *record(const cJSON *tree, int number)
{
    const cJSON *one = cJSON_GetArrayItem(cJSON_GetObjectItem(tree, "records"), number);
    assert_non_null(one);
    return one;
}

double number(const cJSON *object, const char *key)
{
    const cJSON *value = cJSON_GetObjectItem(object, key);
    if (!cJSON_IsNumber(value))
        fail_msg("'%s' is no number", key);
    return value->valuedouble;
}

const char *text(const cJSON *object, const char *key)
{
    const cJSON *value = cJSON_GetObjectItem(object, key);
    return cJSON_IsString(value) ? value->valuestring : "";
}
