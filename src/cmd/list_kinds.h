/* SPDX-License-Identifier: MIT */
/* `list --kinds`: the kinds of problem of these rows' operations, or with --problem the one asked for. */
#ifndef QP_CMD_LIST_KINDS_H
#define QP_CMD_LIST_KINDS_H

#include "cmd/cmd.h"

void list_kinds(const struct options *options, const struct qp_variant *const rows[], int count);

/* NULL without memory. */
cJSON *list_kinds_records(const struct options *options, const struct qp_variant *const rows[],
                          int count);

#endif
