/* SPDX-License-Identifier: MIT */
#include "support/kernel_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/support.h"

char kernel_text_path[] = "/tmp/quadpass-kernel-XXXXXX";

int kernel_text_open(void **state)
{
    (void)state;
    const int file = mkstemp(kernel_text_path);
    return file < 0 ? -1 : close(file);
}

int kernel_text_close(void **state)
{
    (void)state;
    return unlink(kernel_text_path);
}

struct qp_kernel_file *kernel_text_read(const char *text)
{
    struct qp_kernel_file *file;
    FILE *out = fopen(kernel_text_path, "w");
    assert_true(out != NULL && fputs(text, out) >= 0 && fclose(out) == 0);
    const enum qp_status status = qp_kernel_read(kernel_text_path, &file);
    assert_true((status == QP_OK) == (file != NULL));
    assert_true(status == QP_OK || status == QP_BAD_INPUT);
    return file;
}
