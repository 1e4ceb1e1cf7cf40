/* SPDX-License-Identifier: MIT */
/* Files of tuning results in the published form T4 1.0.0: one configuration that was tried a line,
 * times in milliseconds. Their metadata hold the space too, so that a search can be repeated. */
#ifndef QP_CMD_TUNE_T4_H
#define QP_CMD_TUNE_T4_H

#include "tools/tune/search.h"

struct t4 {
    char *kernel, *device;
    struct qp_space space;
    struct qp_tried *tried;
    int count;
};

/* Errors: QP_BAD_INPUT with what is wrong in which result, QP_NO_MEMORY. Owner: the caller, by
 * t4_destroy. */
enum qp_status t4_read(const char *path, struct t4 *out);
void t4_destroy(struct t4 *t4);

/* Errors: those of records_write_text. */
enum qp_status t4_write(const char *path, const struct t4 *t4);

/* Rounds a configuration's times as the file does, so that a search decides alike by either. */
void t4_round(struct qp_tried *tried);

#endif
