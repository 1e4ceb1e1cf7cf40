/* SPDX-License-Identifier: MIT */
/* Kernel files with the options of a command line. */
#include <stdio.h>

#include "base/status.h"
#include "cmd/cmd.h"

enum qp_status cmd_read_files(const struct options *options, struct qp_kernel_file **out)
{
    enum qp_status status = qp_kernel_read(options->words[0], out);
    for (int k = 1; k < options->word_count && status == QP_OK; k++) {
        struct qp_kernel_file *next;
        status = qp_kernel_read(options->words[k], &next);
        if (status == QP_OK)
            status = qp_kernel_file_then(*out, &next);
        qp_kernel_file_destroy(&next);
    }
    if (status != QP_OK)
        qp_kernel_file_destroy(out);
    return status;
}

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
    enum qp_status status = *out == NULL ? cmd_read_files(options, out) : QP_OK;
    if (status != QP_OK)
        return status;
    status = qp_kernel_file_override(*out, &head);
    if (status == QP_BAD_USE) { /* a word of the head's is an option's name */
        snprintf(sentence, sizeof sentence, "%s", qp_error());
        status = qp_fail(status, "--%s", sentence);
    }
    for (struct qp_kernel_file *file = *out; file != NULL && status == QP_OK; file = file->next) {
        if (options->fast && !file->is_short)
            status = qp_fail(QP_BAD_USE,
                             "%s is a whole shader, whose text says what is precise: leave "
                             "--fast out",
                             file->path);
        file->desc.fast = options->fast;
        if (status == QP_OK)
            status = options_check_files(options, &file->head, file->path);
    }
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
