/* SPDX-License-Identifier: MIT */
/* Records of runs as JSON and CSV; the contract names every key. */
#ifndef QP_CMD_RECORDS_H
#define QP_CMD_RECORDS_H

#include <cjson/cJSON.h>

#include <quadpass/bench.h>

/* The head of a record file: what ran, where and when. Strings may be NULL (written as null). */
struct records_head {
    const char *device;  /* GL_RENDERER */
    const char *driver;  /* GL_VERSION */
    const char *command; /* as typed */
};

/* Writes {"quadpass": version, "device", "driver", "cpu", "commit", "command", "date", "records":
 * [...]} to a file, "-" for standard output. Numbers that are not finite become null. Errors, after
 * which there is no file: QP_BAD_INPUT with the system's reason, QP_NO_MEMORY. */
enum qp_status records_write_json(const char *path, const struct records_head *head,
                                  const struct qp_record *records, int count);

/* The same as CSV with one header line: a record's columns, then the head's, so that each row can
 * stand alone. Null becomes an empty field, the needs are joined by "+". */
enum qp_status records_write_csv(const char *path, const struct records_head *head,
                                 const struct qp_record *records, int count);

/* For other commands' JSON: the head as an object, a variant's needs as an array (both NULL without
 * memory), and a writer that takes any tree, deletes it, and fails with QP_NO_MEMORY for NULL. */
cJSON *records_head(const struct records_head *head);
cJSON *records_needs(const struct qp_variant *variant);
enum qp_status records_write_tree(const char *path, cJSON *tree);

#endif
