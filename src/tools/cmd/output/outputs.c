/* SPDX-License-Identifier: MIT */
#include "tools/cmd/output/outputs.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/io/output.h"

void outputs_add_input(struct outputs *outputs, const char *path)
{
    if (path != NULL && outputs->inputs < MOST_INPUTS)
        outputs->input[outputs->inputs++] = path;
}

static enum qp_status check_possible(const char *what, const char *path)
{
    if (path[0] == '\0')
        return qp_fail(QP_BAD_USE, "%s takes the name of a file, not ''", what);
    if (!qp_output_is_possible(path))
        return qp_fail(QP_BAD_USE, "%s: cannot be written: %s%s", path, strerror(errno),
                       errno == ENOENT   ? " (make its folder first)"
                       : errno == EISDIR ? " (name a file in it)"
                                         : "");
    return QP_OK;
}

/* Standard output may be a file as well, and standard input. */
static const char *file_of(const char *path, const char *standard)
{
    return qp_output_is_standard(path) ? standard : path;
}

static enum qp_status check_two(const struct outputs *outputs, int a, int b)
{
    const char *one = outputs->output[a].path, *two = outputs->output[b].path;
    if (qp_output_is_standard(one) && qp_output_is_standard(two))
        return qp_fail(QP_BAD_USE, "only one output can go to standard output, not %s and %s",
                       outputs->output[a].what, outputs->output[b].what);
    if (qp_output_is_same(file_of(one, "/dev/stdout"), file_of(two, "/dev/stdout")))
        return qp_fail(QP_BAD_USE, "%s and %s name one file, %s; give each its own",
                       outputs->output[a].what, outputs->output[b].what,
                       qp_output_is_standard(one) ? two : one);
    return QP_OK;
}

static enum qp_status check_input(const struct outputs *outputs, int k, const char *input)
{
    const char *path = outputs->output[k].path;
    const char *read = strcmp(input, "-") == 0 ? "/dev/stdin" : input;
    if (qp_output_is_same(file_of(path, "/dev/stdout"), read))
        return qp_fail(QP_BAD_USE, "%s would write over %s, which is read; name another file",
                       outputs->output[k].what, input);
    return QP_OK;
}

enum qp_status outputs_check(const struct outputs *outputs)
{
    enum qp_status status = QP_OK;
    for (int k = 0; k < MOST_OUTPUTS && status == QP_OK; k++) {
        if (outputs->output[k].path == NULL)
            continue;
        status = check_possible(outputs->output[k].what, outputs->output[k].path);
        for (int i = 0; i < k && status == QP_OK; i++) {
            if (outputs->output[i].path != NULL)
                status = check_two(outputs, i, k);
        }
        for (int i = 0; i < outputs->inputs && status == QP_OK; i++)
            status = check_input(outputs, k, outputs->input[i]);
    }
    return status;
}
