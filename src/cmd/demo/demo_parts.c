/* SPDX-License-Identifier: MIT */
/* Steps that all parts of the demonstration share: find rows, count verdicts, keep a picture. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "cmd/demo/demo.h"

int demo_rows(const char *op, const struct qp_variant *rows[])
{
    int count = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        if (strcmp(qp_variant_at(i)->op, op) == 0)
            rows[count++] = qp_variant_at(i);
    }
    return count;
}

void demo_count(struct demo *demo, const struct qp_variant *row, enum qp_verdict verdict)
{
    bool missed = verdict == QP_SKIP && cmd_is_required(demo->options, row);
    demo->verdicts[missed ? QP_FAIL : verdict]++;
}

enum qp_status demo_keep_picture(struct demo_picture *picture, int width, int height,
                                 const double *values)
{
    const size_t count = (size_t)width * (size_t)height;
    free(picture->values);
    picture->values = qp_alloc(count, sizeof *values, "a picture");
    if (picture->values == NULL)
        return QP_NO_MEMORY;
    memcpy(picture->values, values, count * sizeof *values);
    picture->width = width;
    picture->height = height;
    return QP_OK;
}
