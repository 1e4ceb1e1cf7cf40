/* SPDX-License-Identifier: MIT */
#include "toolkit/io/input.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "toolkit/base/memory.h"
#include "toolkit/base/status.h"

void qp_input_reason(char reason[QP_INPUT_REASON], const char *format, va_list arguments)
{
    vsnprintf(reason, QP_INPUT_REASON, format, arguments);
    for (char *c = reason; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
}

enum qp_status qp_input_open(const char *path, struct qp_input_file *out)
{
    const bool standard = strcmp(path, "-") == 0;
    struct stat about;
    *out = (struct qp_input_file){.name = standard ? "standard input" : path,
                                  .file = standard ? stdin : fopen(path, "re"),
                                  .bytes = SIZE_MAX};
    if (out->file == NULL)
        return qp_fail(QP_BAD_INPUT, "%s: cannot be opened: %s (check its name and mode)", path,
                       strerror(errno));
    if (fstat(fileno(out->file), &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0)
        out->bytes = (size_t)about.st_size;
    return QP_OK;
}

enum qp_status qp_input_check_memory(const struct qp_input_file *input, double bytes)
{
    const double there = qp_memory_there();
    return bytes <= there ? QP_OK
                          : qp_fail(QP_BAD_INPUT, "%s: %.1f GiB needed, %.1f there (add memory)",
                                    input->name, bytes / 0x1p30, there / 0x1p30);
}

void qp_input_close(struct qp_input_file *input)
{
    if (input->file != NULL && input->file != stdin)
        fclose(input->file);
    input->file = NULL;
}
