/* SPDX-License-Identifier: MIT */
#include "support/written.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/support.h"
#include "toolkit/base/status.h"
#include "toolkit/base/values.h"
#include "tools/cmd/output/grid.h"

/* Writes a line of a file with its escapes. */
static void write_line(FILE *file, const char *line)
{
    while (*line != '\0') {
        const char *at = line;
        char *end = (char *)line + 2;
        line += *at == '\\' ? 2 : 1;
        if (*at != '\\' || at[1] == '\\') {
            putc(*at, file);
        } else if (at[1] == 'x') {
            putc((int)strtol((char[]){at[2], at[3], '\0'}, NULL, 16), file);
            line += 2;
        } else if (at[1] != '\n') {
            for (long k = strtol(at + 2, &end, 10); k > 0; k--)
                putc(at[1] == 'z' ? 0 : ' ', file);
            line = end + 1;
        }
    }
}

int each_written(const char *text, const char *folder,
                 void (*check)(const char *path, const char *expected))
{
    char line[512], path[512] = "", expected[512] = "";
    FILE *from, *file = NULL;
    int count = 0;
    snprintf(line, sizeof line, QP_SOURCE_DIR "/tests/io/market/%s", text);
    from = fopen(line, "r");
    assert_non_null(from);
    for (bool more = true; more;) {
        more = fgets(line, sizeof line, from) != NULL;
        const bool begins = more && strncmp(line, "== ", 3) == 0;
        if (file != NULL && (begins || !more)) {
            assert_int_equal(fclose(file), 0);
            file = NULL;
            check(path, expected);
            assert_int_equal(unlink(path), 0);
            count++;
        }
        if (begins) {
            char *end = strstr(line, ": ");
            assert_non_null(end);
            line[strcspn(line, "\n")] = '\0';
            snprintf(expected, sizeof expected, "%s", end + 2);
            snprintf(path, sizeof path, "%s/%.*s", folder, (int)(end - line) - 3, line + 3);
            file = fopen(path, "wb");
            assert_non_null(file);
        } else if (more && file != NULL)
            write_line(file, line);
    }
    fclose(from);
    return count;
}

const char *content_of(const char *path, const char *form)
{
    static char text[1 << 16];
    struct qp_matrix matrix;
    int channels;
    if (grid_read(path, &matrix, &channels) != QP_OK)
        return qp_error();
    size_t used = (size_t)sprintf(text, "%d x %d:", matrix.height, matrix.width);
    for (size_t k = 0; k < (size_t)matrix.width * (size_t)matrix.height; k++) {
        assert_true(used + 40 < sizeof text);
        text[used++] = ' ';
        used += (size_t)snprintf(text + used, 32, form,
                                 qp_value(qp_matrix_values(&matrix), matrix.precision, k));
    }
    qp_matrix_destroy(&matrix);
    return text;
}
