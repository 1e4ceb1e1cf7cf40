/* SPDX-License-Identifier: MIT */
#include "engines/learned.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#if defined(_OPENMP)
#include <omp.h>
#else
#define omp_get_max_threads() 1
#endif
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "io/cache.h"
#include "io/output.h"

enum { MOST_TEXT = 1024, DEVICE_NAME = 200 };

/* The first line tells what the file is and of which version. */
static const char form[] = "quadpass split 1\n"
                           "device %s\n"
                           "row %s\n"
                           "size %d %d, %d steps between exchanges\n"
                           "split %d\n"
                           "seconds %.6e, alone %.6e %.6e\n"
                           "end\n";

/* The device's name, with the number of threads that the other part has: "llvmpipe (...), 2 threads". */
static void name_device(const struct qp_context *context, char name[DEVICE_NAME])
{
    const char *renderer = context != NULL ? qp_context_device(context)->renderer : "no device";
    snprintf(name, DEVICE_NAME, "%.160s, %d threads", renderer, omp_get_max_threads());
}

/* A file's name is made of letters, digits and dashes; what it stands for is told inside. */
static bool find_file(const char *device, const char *row, bool make, char path[PATH_MAX])
{
    if (!qp_cache_folder(path, make))
        return false;
    const size_t folder = strlen(path);
    const int length =
        snprintf(path + folder, PATH_MAX - folder, "/%.100s-%.60s.split", device, row);
    for (char *at = path + folder + 1; at < path + folder + length - strlen(".split"); at++) {
        if (!isalnum((unsigned char)*at))
            *at = '-';
    }
    return folder + (size_t)length < PATH_MAX;
}

static void print(char text[MOST_TEXT], const char *device, const char *row,
                  const struct qp_learned *learned)
{
    snprintf(text, MOST_TEXT, form, device, row, learned->width, learned->height, learned->depth,
             learned->split, learned->seconds, learned->alone[0], learned->alone[1]);
}

/* What is printed again from what was read must be the same text. */
static bool parse(const char *text, const char *device, const char *row, struct qp_learned *out)
{
    char again[MOST_TEXT];
    const char *size = strstr(text, "\nsize ");
    const int found =
        size != NULL
            ? sscanf(size,
                     " size %d %d, %d steps between exchanges split %d seconds %lf, alone %lf %lf",
                     &out->width, &out->height, &out->depth, &out->split, &out->seconds,
                     &out->alone[0], &out->alone[1])
            : 0;
    if (found != 7)
        return false;
    print(again, device, row, out);
    return strcmp(text, again) == 0 && out->height > 0 && out->split >= 0 &&
           out->split <= out->height && isfinite(out->seconds) && out->seconds > 0.0;
}

bool qp_learned_read(const struct qp_context *context, const char *row, struct qp_learned *out)
{
    char device[DEVICE_NAME], path[PATH_MAX], text[MOST_TEXT];
    struct qp_learned learned = {0};
    name_device(context, device);
    FILE *file = find_file(device, row, false, path) ? fopen(path, "re") : NULL;
    if (file == NULL)
        return false;
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const bool good = strlen(text) == length && parse(text, device, row, &learned);
    if (good)
        *out = learned;
    return good;
}

enum qp_status qp_learned_write(const struct qp_context *context, const char *row,
                                const struct qp_learned *learned)
{
    char device[DEVICE_NAME], path[PATH_MAX], text[MOST_TEXT];
    struct qp_output output;
    name_device(context, device);
    if (!find_file(device, row, true, path))
        return qp_fail(QP_BAD_INPUT, "there is no folder for the user's cache: neither "
                                     "XDG_CACHE_HOME nor HOME names one");
    print(text, device, row, learned);
    const bool good = qp_output_open(&output, path) && fputs(text, output.file) >= 0;
    return qp_output_close(&output, good ? NULL : strerror(errno));
}

int qp_learned_rows(const struct qp_learned *learned, int height)
{
    return (int)((double)learned->split / learned->height * height + 0.5);
}
