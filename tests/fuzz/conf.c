/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <string.h>

#include "toolkit/base/expression.h"
#include "tools/stencil/conf.h"
#include "tools/stencil/stencil.h"

enum { MOST_BYTES = 4096 };

/* The kernel file's text says the same to who reads it again. */
static void check_again(const struct qp_kernel_file *file)
{
    struct qp_kernel_file *again;
    PROMISE(qp_kernel_file_make("again", file->text, &again) == QP_OK);
    PROMISE(again->inputs == file->inputs && again->head.arrays == file->head.arrays);
    PROMISE(again->desc.output_type == file->desc.output_type);
    qp_kernel_file_destroy(&again);
}

/* Any bytes are a configuration or a sentence about one, and what is one is a stencil, whose f is a
 * number anywhere. */
void fuzz_conf(const uint8_t *bytes, size_t size)
{
    struct qp_kernel_file *file;
    struct qp_conf conf;
    struct qp_stencil stencil;
    struct qp_expression f;
    if (size > MOST_BYTES)
        return;
    const char *path = fuzz_file(bytes, size);
    const enum qp_status status = qp_conf_read(path, &conf, &file);
    PROMISE((status == QP_OK) == (file != NULL));
    PROMISE(status == QP_OK || status == QP_BAD_INPUT);
    PROMISE(status == QP_OK || strstr(qp_error(), path) != NULL);
    PROMISE(strlen(conf.directory) < sizeof conf.directory);
    if (file == NULL)
        return;
    PROMISE(qp_stencil_read(file, &stencil) == QP_OK);
    check_again(file);
    for (int k = 0; k < file->head.arrays; k++) {
        if (file->head.array[k].made != QP_MADE_EXPRESSION)
            continue;
        PROMISE(qp_expression_read(file->head.array[k].from, &f) == QP_OK);
        (void)qp_expression_value(&f, 1.0, 2.0);
    }
    qp_kernel_file_destroy(&file);
}
