/* SPDX-License-Identifier: MIT */
#include "support/paper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cJSON *records(const char *arguments)
{
    char command[256];
    snprintf(command, sizeof command, "quadpass bench %s --json -", arguments);
    assert_int_equal(shell(command), 0);
    const char *begin = strchr(output, '{');
    assert_non_null(begin);
    cJSON *tree = cJSON_Parse(begin);
    assert_non_null(tree);
    return tree;
}

double number_of(const cJSON *tree, int record, const char *key)
{
    const cJSON *list = cJSON_GetObjectItem(tree, "records");
    return cJSON_GetNumberValue(cJSON_GetObjectItem(cJSON_GetArrayItem(list, record), key));
}

double number_of_line(const char *text, const char *title, const char *name, int back)
{
    char line[256], *end;
    const char *at = strstr(text, title);
    assert_non_null(at);
    snprintf(line, sizeof line, "\n  %s ", name);
    at = strstr(strchr(at, '\n'), line);
    assert_non_null(at);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
    for (; back > 0; back--) {
        char *last = strrchr(line, ' ');
        while (last > line && last[-1] == ' ')
            last--;
        *last = '\0';
    }
    double value = strtod(strrchr(line, ' '), &end);
    return *end == '\0' ? value : NAN;
}
