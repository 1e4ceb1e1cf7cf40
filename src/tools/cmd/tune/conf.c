/* SPDX-License-Identifier: MIT */
/* Configurations of the thesis's generator that are changed by what a search has found
 * (thesis, 6.2). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/base/text.h"
#include "toolkit/io/output.h"
#include "tools/cmd/output/sentence.h"
#include "tools/cmd/tune/live.h"

/* The number of a name in "steps=1 threads=64"; 0: it has none. */
static int number_of(const char *values, const char *name)
{
    char word[32];
    snprintf(word, sizeof word, "%s=", name);
    const char *at = strstr(values, word);
    return at != NULL ? (int)strtol(at + strlen(word), NULL, 10) : 0;
}

/* All lines but those of these keys, which are written anew. */
static void copy(FILE *in, FILE *out, const char *but)
{
    char line[4096], key[32];
    while (fgets(line, sizeof line, in) != NULL) {
        const bool has = sscanf(line, " %31[a-z] =", key) == 1;
        if (!has || qp_word_number(but, key, (int)strlen(key)) == 0)
            fputs(line, out);
    }
}

/* Keys of an asynchronous program, of which the rows of a block have none. */
static void put_sync(const char *values, FILE *out)
{
    char kind[16] = "";
    int alpha = 0;
    sscanf(values, "sync=%15s alpha=%d", kind, &alpha);
    fprintf(out, "sync = %s\n", kind);
    if (strncmp(kind, "async", 5) == 0)
        fprintf(out, "alpha = %d\n", alpha);
}

enum qp_status tune_write_conf(const char *path, const char *target, const char *values)
{
    const bool syncs = strncmp(values, "sync=", 5) == 0,
               cuda = !syncs && strcmp(target, "cuda") == 0;
    const int warps = number_of(values, "threads") / 32, beside = warps < 4 ? warps : 4;
    char name[4096];
    struct qp_output output;
    FILE *in = fopen(path, "re");
    if (in == NULL)
        return qp_fail(QP_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    snprintf(name, sizeof name, "%.*s.tuned.conf", (int)(strstr(path, ".conf") - path), path);
    const bool good = qp_output_open(&output, name);
    if (good) {
        copy(in, output.file, syncs ? "sync alpha" : cuda ? "threads unknowns" : "");
        fprintf(output.file, "# tuned %s: %s\n", target, values);
    }
    if (good && syncs)
        put_sync(values, output.file);
    if (good && cuda && warps > 0)
        fprintf(output.file, "threads = %d\nunknowns = %dx%d\n", 32 * warps,
                32 * beside * number_of(values, "cells"), warps / beside * number_of(values, "up"));
    fclose(in);
    const enum qp_status status = qp_output_close(&output, good ? NULL : strerror(errno));
    if (status == QP_OK)
        sentence_say("wrote %s", name);
    return status;
}
