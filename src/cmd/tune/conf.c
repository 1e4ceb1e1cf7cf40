/* SPDX-License-Identifier: MIT */
/* Configurations of the thesis's generator that are changed by what a search has found
 * (thesis, 6.2). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "cmd/output/sentence.h"
#include "cmd/tune/live.h"
#include "io/output.h"

/* The number of a name in "steps=1 threads=64"; 0: it has none. */
static int number_of(const char *values, const char *name)
{
    char word[32];
    snprintf(word, sizeof word, "%s=", name);
    const char *at = strstr(values, word);
    return at != NULL ? (int)strtol(at + strlen(word), NULL, 10) : 0;
}

/* All lines but those that are written anew. */
static void copy(FILE *in, FILE *out, bool but_blocks)
{
    char line[4096], key[32];
    while (fgets(line, sizeof line, in) != NULL) {
        const bool has = sscanf(line, " %31[a-z] =", key) == 1;
        if (!has || !but_blocks || (strcmp(key, "threads") != 0 && strcmp(key, "unknowns") != 0))
            fputs(line, out);
    }
}

enum qp_status tune_write_conf(const char *path, const char *target, const char *values)
{
    const bool cuda = strcmp(target, "cuda") == 0;
    const int warps = number_of(values, "threads") / 32, beside = warps < 4 ? warps : 4;
    char name[4096];
    struct qp_output output;
    FILE *in = fopen(path, "re");
    if (in == NULL)
        return qp_fail(QP_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    snprintf(name, sizeof name, "%.*s.tuned.conf", (int)(strstr(path, ".conf") - path), path);
    const bool good = qp_output_open(&output, name);
    if (good) {
        copy(in, output.file, cuda);
        fprintf(output.file, "# tuned %s: %s\n", target, values);
    }
    if (good && cuda && warps > 0)
        fprintf(output.file, "threads = %d\nunknowns = %dx%d\n", 32 * warps,
                32 * beside * number_of(values, "cells"), warps / beside * number_of(values, "up"));
    fclose(in);
    const enum qp_status status = qp_output_close(&output, good ? NULL : strerror(errno));
    if (status == QP_OK)
        sentence_say("wrote %s", name);
    return status;
}
