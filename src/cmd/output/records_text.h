/* SPDX-License-Identifier: MIT */
/* Texts of record trees, of whole lines, for free(); NULL without memory. */
#ifndef QP_CMD_OUTPUT_RECORDS_TEXT_H
#define QP_CMD_OUTPUT_RECORDS_TEXT_H

#include <cjson/cJSON.h>

/* A line for each record of an array of objects, and for each member of the object around it. */
char *records_print_json(const cJSON *tree);

/* A line of keys, those of `model` and of the head, which may be NULL, then one for each row. */
char *records_print_csv(const cJSON *head, const cJSON *model, const cJSON *rows);

#endif
