/* SPDX-License-Identifier: MIT */
/* Spaces of programs: lines of their templates that say what may be tuned, with the kernel's facts. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "stencil/stencil.h"

/* The number that a program's text gives a constant, also as (N / (int)sizeof(real)); below 0: it
 * gives none. */
static int constant_of(const char *text, const char *name, int bytes)
{
    char line[80] = "#define ";
    int used = (int)strlen(line), value = -1;
    for (const char *at = name; *at != '\0'; at++)
        line[used++] = (char)toupper((unsigned char)*at);
    strcpy(line + used, " ");
    const char *at = strstr(text, line);
    if (at != NULL && sscanf(at + used, " (%d / (int)sizeof(real))", &value) == 1)
        return value / bytes;
    return at != NULL && sscanf(at + used, "%d", &value) == 1 ? value : -1;
}

/* The line of a parameter, `NAME = V V ...`, with the usual value as its first. */
static void put_parameter(const char *line, int usual, FILE *out)
{
    const char *at = strchr(line, '=') + 1;
    char word[32];
    int length;
    fprintf(out, "tune %.*s", (int)(at - line), line);
    if (usual >= 0)
        fprintf(out, " %d", usual);
    for (; sscanf(at, " %31[a-z0-9]%n", word, &length) == 1; at += length) {
        if (usual < 0 || strtol(word, NULL, 10) != usual)
            fprintf(out, " %s", word);
    }
    fputc('\n', out);
}

static void put_facts(const struct qp_stencil *s, int bytes, FILE *out)
{
    const struct qp_kernel_file *file = s->file;
    int wrapping = 0, states = 0;
    for (int k = 0; k < file->inputs; k++) {
        wrapping += file->array[k].outside == QP_OUTSIDE_WRAP;
        states += k < file->states && file->array[k].outside == QP_OUTSIDE_WRAP;
    }
    fprintf(out,
            "fact reach = %d\nfact states = %d\nfact arrays = %d\nfact bytes = %d\n"
            "fact several = %d\nfact mixed = %d\n",
            s->reach > 0 ? s->reach : 1, file->states, file->inputs, bytes,
            states == 0 || wrapping == file->inputs, states > 0 && states < file->states);
}

/* Writes the lines of parameters, or those of what they exclude and of terms, which name them. */
static void put_lines(const char *text, bool parameters, int steps, int bytes, FILE *out)
{
    static const char mark[] = "/*@ t", tune[] = "tune ";
    char name[64];
    for (const char *at = text; (at = strstr(at, mark)) != NULL;) {
        at += strlen(mark) - 1;
        const char *of = at + strlen(tune);
        const bool is_parameter =
            strncmp(at, tune, strlen(tune)) == 0 && strncmp(of, "not ", 4) != 0;
        if (is_parameter && parameters && sscanf(of, "%63[a-z_]", name) == 1)
            put_parameter(of, strcmp(name, "steps") == 0 ? steps : constant_of(text, name, bytes),
                          out);
        if (!is_parameter && !parameters)
            fprintf(out, "%.*s\n", (int)(strstr(at, " */") - at), at);
    }
}

enum qp_status qp_stencil_put_space(const struct qp_stencil *stencil, const char *target, int steps,
                                    FILE *out)
{
    const int bytes = stencil->file->desc.output_type == QP_ARRAY_DOUBLE ? 8 : 4;
    struct qp_stencil own = *stencil;
    char *text = NULL;
    size_t size = 0;
    own.lists = true;
    FILE *all = open_memstream(&text, &size);
    if (all == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for a program");
    const enum qp_status status = qp_stencil_put(&own, target, all);
    fclose(all);
    put_facts(stencil, bytes, out);
    for (int parameters = 1; parameters >= 0 && status == QP_OK; parameters--)
        put_lines(text, parameters == 1, steps, bytes, out);
    free(text);
    return status;
}
