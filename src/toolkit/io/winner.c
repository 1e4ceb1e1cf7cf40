/* SPDX-License-Identifier: MIT */
#include "toolkit/io/winner.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "toolkit/base/status.h"
#include "toolkit/io/cache.h"
#include "toolkit/io/output.h"

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
 * inside. Returns why there is none. */
static const char *find_file(const char *kernel, const char *device, bool make, char path[PATH_MAX])
{
    const char *fault = qp_cache_folder(path, make);
    char *at = path + strlen(path) + 1;
    if (fault != NULL)
        return fault;
    snprintf(at - 1, NAME_MAX, "/%.100s-%.60s.tuned", device, kernel);
    for (; strcmp(at, ".tuned") != 0; at++) {
        if (!isalnum((unsigned char)*at))
            *at = '-';
    }
    return NULL;
}

/* Prints again what was read, which must be the same text. */
bool qp_winner_read(const char *kernel, const char *device, char values[QP_WINNER_LETTERS])
{
    char path[PATH_MAX], text[MOST_TEXT], again[MOST_TEXT];
    const char *fault = find_file(kernel, device, false, path);
    const int file = fault == NULL ? qp_cache_file(path, &fault) : -1;
    if (file < 0)
        return false;
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    text[length > 0 ? length : 0] = '\0';
    const char *at = strstr(text, "\nvalues ");
    if (at == NULL || sscanf(at, "\nvalues %511[^\n]", values) != 1)
        return false;
    print(again, kernel, device, values);
    return (ssize_t)strlen(text) == length && strcmp(text, again) == 0;
}

enum qp_status qp_winner_write(const char *kernel, const char *device, const char *values)
{
    char path[PATH_MAX], text[MOST_TEXT];
    const char *fault = find_file(kernel, device, true, path);
    if (fault != NULL)
        return qp_fail(QP_BAD_INPUT, "the cache's folder %s %s", path, fault);
    print(text, kernel, device, values);
    return qp_output_write(path, text, strlen(text));
}
