/* SPDX-License-Identifier: MIT */
/* Kernel files with the options of a command line. */
#include <stdio.h>

#include "base/status.h"
#include "cmd/cmd.h"

enum qp_status cmd_kernel_file(const struct options *options, const char *path,
                               struct qp_kernel_file **out)
{
    char sentence[1024];
    struct qp_kernel_file_head head = options->head;
    head.width = options->width;
    head.height = options->height;
    head.has_seed = options->seed_given;
    head.seed = options->seed;
    head.tolerance = options->tolerance;
    enum qp_status status = *out == NULL ? qp_kernel_read(path, out) : QP_OK;
    if (status != QP_OK)
        return status;
    status = qp_kernel_file_override(*out, &head);
    if (status == QP_BAD_USE) { /* a word of the head's is an option's name */
        snprintf(sentence, sizeof sentence, "%s", qp_error());
        status = qp_fail(status, "--%s", sentence);
    }
    if (status == QP_OK && options->fast && !(*out)->is_short)
        status = qp_fail(QP_BAD_USE,
                         "%s is a whole shader, whose text says what is precise: leave "
                         "--fast out",
                         path);
    (*out)->desc.fast = options->fast;
    if (status == QP_OK)
        status = options_check_files(options, &(*out)->head);
    if (status == QP_OK && options->judged && (*out)->head.check == NULL)
        status =
            qp_fail(QP_BAD_USE,
                    "%s names no reference; name one by --check REF.c, or by a line '//@ check "
                    "REF.c' in its head",
                    path);
    if (status != QP_OK)
        qp_kernel_file_destroy(out);
    return status;
}
