/* SPDX-License-Identifier: MIT */
/* Spaces of programs: lines of their templates that say what may be tuned, with the kernel's
 * facts. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "tools/stencil/stencil.h"

/* The value that a program's text gives a constant, in small letters, a number also as
 * (N / (int)sizeof(real)); "": it gives none. */
static void find_constant(const char *text, const char *name, int bytes, char value[32])
{
    char line[80];
    int used = snprintf(line, sizeof line, "#define %s ", name), number;
    const char *at = strcasestr(text, line);
    value[0] = '\0';
    if (at != NULL && sscanf(at + used, " (%d / (int)sizeof(real))", &number) == 1)
        snprintf(value, 32, "%d", number / bytes);
    else if (at != NULL)
        sscanf(at + used, " %31[A-Za-z0-9_]", value);
    for (char *letter = value; *letter != '\0'; letter++)
        *letter = (char)tolower((unsigned char)*letter);
}

/* The line of a parameter, `NAME = V V ...`, with the usual value as its first. */
static void put_parameter(const char *line, const char *usual, FILE *out)
{
    const char *at = strchr(line, '=') + 1;
    char word[32];
    int length;
    fprintf(out, "tune %.*s%s%s", (int)(at - line), line, usual[0] != '\0' ? " " : "", usual);
    for (; sscanf(at, " %31[a-z0-9_]%n", word, &length) == 1; at += length) {
        if (strcmp(word, usual) != 0)
            fprintf(out, " %s", word);
    }
    fputc('\n', out);
}

/* `launch` says which alpha and block are the head's: of kinds that have neither these are taken.
 */
static void put_facts(const struct qp_stencil *s, int bytes, const char *text, FILE *out)
{
    char alpha[32], block[32];
    const struct qp_kernel_file *file = s->file;
    int wrapping = 0, states = 0;
    for (int k = 0; k < file->inputs; k++) {
        wrapping += file->array[k].outside == QP_OUTSIDE_WRAP;
        states += k < file->states && file->array[k].outside == QP_OUTSIDE_WRAP;
    }
    fprintf(out,
            "fact reach = %d\nfact states = %d\nfact arrays = %d\nfact bytes = %d\n"
            "fact several = %d\nfact mixed = %d\nfact diagonal = %d\n",
            s->reach > 0 ? s->reach : 1, file->states, file->inputs, bytes,
            states == 0 || wrapping == file->inputs, states > 0 && states < file->states,
            (s->across[0] & ~(1u << QP_STENCIL_REACH)) != 0);
    find_constant(text, "alpha", bytes, alpha);
    find_constant(text, "block", bytes, block);
    if (s->keeps_sync)
        fprintf(out, "fact launch = %d\n", 100 * atoi(alpha) + atoi(block));
}

/* Writes the lines of parameters, or those of what they exclude and of terms, which name them. */
static void put_lines(const char *text, bool parameters, int steps, int bytes, FILE *out)
{
    static const char mark[] = "/*@ t", tune[] = "tune ";
    char name[64], usual[32];
    for (const char *at = text; (at = strstr(at, mark)) != NULL;) {
        at += strlen(mark) - 1;
        const char *of = at + strlen(tune);
        const bool is_parameter =
            strncmp(at, tune, strlen(tune)) == 0 && strncmp(of, "not ", 4) != 0;
        if (is_parameter && parameters && sscanf(of, "%63[a-z_]", name) == 1) {
            find_constant(text, name, bytes, usual);
            if (strcmp(name, "sync") == 0)
                usual[0] = '\0'; /* the plain program is tried first */
            if (strcmp(name, "steps") == 0 && steps > 0)
                snprintf(usual, sizeof usual, "%d", steps);
            put_parameter(of, usual, out);
        }
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
    put_facts(stencil, bytes, text, out);
    for (int parameters = 1; parameters >= 0 && status == QP_OK; parameters--)
        put_lines(text, parameters == 1, steps, bytes, out);
    free(text);
    return status;
}
