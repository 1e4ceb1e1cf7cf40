/* SPDX-License-Identifier: MIT */
/* Records that a command writes as JSON, for tests that read them. */
#ifndef QP_TESTS_RECORDS_H
#define QP_TESTS_RECORDS_H

#include <cjson/cJSON.h>

/* Runs `quadpass ARGUMENTS`, which end with --json - and with this exit code. Free with
 * cJSON_Delete. */
cJSON *run_json(const char *arguments, int code);

/* A record of it, counted from 0. */
const cJSON *record(const cJSON *tree, int number);

/* A field; what is no number fails the test, what is no text is "". */
double number(const cJSON *object, const char *key);
const char *text(const cJSON *object, const char *key);

#endif
