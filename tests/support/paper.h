/* SPDX-License-Identifier: MIT */
/* Helpers of the tests of `bench --paper`: numbers of its tables and of its records. */
#ifndef QP_TESTS_PAPER_H
#define QP_TESTS_PAPER_H

#include "support/shell.h"

#include <cjson/cJSON.h>

/* The records of `bench` with these arguments, whose tables are in `output` before them; the caller
 * deletes the tree. */
cJSON *records(const char *arguments);
double number_of(const cJSON *tree, int record, const char *key);

/* The last but `back` of the numbers in the first line below the title that begins with the name;
 * NaN for a dash or a verdict. */
double number_of_line(const char *text, const char *title, const char *name, int back);

#endif
