/* SPDX-License-Identifier: MIT */
#include "io/winner.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "io/cache.h"
#include "io/output.h"

enum { MOST_TEXT = 2048 };

/* The first line says what the file is and of which version, the last one a hash of the names and
 * values. */
static void print(char text[MOST_TEXT], const char *kernel, const char *device, const char *values)
{
    snprintf(text, MOST_TEXT, "quadpass tuned 2\nkernel %s\ndevice %s\nvalues %s\n", kernel, device,
             values);
    const size_t length = strlen(text);
    snprintf(text + length, MOST_TEXT - length, "hash %016llx\n",
             (unsigned long long)qp_hash(0, text, length));
}

/* A file's name is made of letters, digits and dashes; the kernel and device that it belongs to are
 * inside. */
static bool find_file(const char *kernel, const char *device, bool make, char path[PATH_MAX])
{
    if (!qp_cache_folder(path, make))
        return false;
    const size_t folder = strlen(path);
    const int length =
        snprintf(path + folder, PATH_MAX - folder, "/%.100s-%.60s.tuned", device, kernel);
    for (char *at = path + folder + 1; at < path + folder + length - strlen(".tuned"); at++) {
        if (!isalnum((unsigned char)*at))
            *at = '-';
    }
    return folder + (size_t)length < PATH_MAX;
}

/* Prints again what was read, which must be the same text. */
bool qp_winner_read(const char *kernel, const char *device, char values[QP_WINNER_LETTERS])
{
    char path[PATH_MAX], text[MOST_TEXT], again[MOST_TEXT];
    FILE *file = find_file(kernel, device, false, path) ? fopen(path, "re") : NULL;
    if (file == NULL)
        return false;
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *at = strstr(text, "\nvalues ");
    if (at == NULL || sscanf(at, "\nvalues %511[^\n]", values) != 1)
        return false;
    print(again, kernel, device, values);
    return strlen(text) == length && strcmp(text, again) == 0;
}

enum qp_status qp_winner_write(const char *kernel, const char *device, const char *values)
{
    char path[PATH_MAX], text[MOST_TEXT];
    struct qp_output output;
    if (!find_file(kernel, device, true, path))
        return qp_fail(QP_BAD_INPUT, "there is no folder for the user's cache: neither "
                                     "XDG_CACHE_HOME nor HOME names one");
    print(text, kernel, device, values);
    const bool good = qp_output_open(&output, path) && fputs(text, output.file) >= 0;
    return qp_output_close(&output, good ? NULL : strerror(errno));
}
