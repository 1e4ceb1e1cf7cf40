/* SPDX-License-Identifier: MIT */
/* Winners of the tuner in the user's cache: a file for a kernel and a target on this machine. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "io/cache.h"
#include "io/output.h"
#include "stencil/machine.h"

/* The first line says what the file is and of which version. */
static const char form[] = "quadpass tuned 1\nkernel %s\ndevice %s\nvalues %s\nend\n";

enum { MOST_TEXT = 2048, PATH = PATH_MAX + 32 };

static bool find_file(uint64_t key, bool make, char path[PATH])
{
    char folder[PATH_MAX];
    if (!qp_cache_folder(folder, make))
        return false;
    snprintf(path, PATH, "%s/%016llx.tuned", folder, (unsigned long long)key);
    return true;
}

/* A file is taken if the same text can be printed of what was read; a damaged one is none. */
bool qp_winner_read(uint64_t key, char values[QP_WINNER_LETTERS])
{
    char path[PATH], text[MOST_TEXT], again[MOST_TEXT], kernel[256], device[256];
    FILE *file = find_file(key, false, path) ? fopen(path, "re") : NULL;
    if (file == NULL)
        return false;
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    if (sscanf(text, "%*[^\n]\nkernel %255[^\n]\ndevice %255[^\n]\nvalues %511[^\n]", kernel,
               device, values) != 3)
        return false;
    snprintf(again, sizeof again, form, kernel, device, values);
    return strcmp(text, again) == 0;
}

enum qp_status qp_winner_write(uint64_t key, const char *kernel, const char *device,
                               const char *values)
{
    char path[PATH];
    struct qp_output output;
    if (!find_file(key, true, path))
        return qp_fail(QP_BAD_INPUT, "there is no folder for the user's cache: neither "
                                     "XDG_CACHE_HOME nor HOME names one");
    const bool good =
        qp_output_open(&output, path) && fprintf(output.file, form, kernel, device, values) > 0;
    return qp_output_close(&output, good ? NULL : strerror(errno));
}
