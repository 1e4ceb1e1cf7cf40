/* SPDX-License-Identifier: MIT */
#include "support/program_batch.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "support/files.h"
#include "support/shell.h"

/* Line of steps.c at which the machine ends. */
static const char kernel_begins[] = "/* ---- The kernel ---- */";

static char *read_text(const char *folder_of, int body, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%d/c/%s", folder_of, body, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("%s cannot be read", path);
    char *text = slurp(file);
    fclose(file);
    return text;
}

static FILE *open_text(const char *folder_of, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/all/c/%s", folder_of, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    return file;
}

/* Copies what all bodies must have in common: all files but steps.c and the reference. */
static void copy_common(const char *folder_of, const bool *has, int bodies, int begin)
{
    char pattern[512];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/%d/c/*", folder_of, begin);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *name = strrchr(found.gl_pathv[i], '/') + 1;
        if (strcmp(name, "steps.c") == 0 || strcmp(name, "reference.c") == 0)
            continue;
        char *first = read_text(folder_of, begin, name);
        FILE *out = open_text(folder_of, name);
        fputs(first, out);
        fclose(out);
        for (int b = begin + 1; b < bodies; b++) {
            if (!has[b])
                continue;
            char *text = read_text(folder_of, b, name);
            if (strcmp(text, first) != 0)
                fail_msg("%s of %s/%d is not that of its first", name, folder_of, b);
            free(text);
        }
        free(first);
    }
    globfree(&found);
}

/* The part of steps.c that is the kernel's, with names of its own. */
static void put_kernel(FILE *out, int b, const char *text)
{
    static const char *const names[] = {"cell",   "at_of",     "kernel",   "step_cells",
                                        "stream", "step_some", "STEP_ROWS"};
    for (int i = 0; i < COUNT(names); i++)
        fprintf(out, "#define %s %s_%d\n", names[i], names[i], b);
    fputs(text, out);
    for (int i = 0; i < COUNT(names); i++)
        fprintf(out, "#undef %s\n", names[i]);
}

/* The machine, with tiles of a few columns in every other folder: sizes at which programs turn to
 * these are too large here. */
static void put_machine(FILE *out, const char *text, size_t length, int variant)
{
    static const char tile[] = "(16384 / (int)sizeof(real))";
    const char *end = text + length, *at = strstr(text, tile);
    if (at == NULL || at >= end)
        fail_msg("steps.c has no %s", tile);
    const size_t before = (size_t)(at - text), name = variant % 2 == 1 ? strlen(tile) : 0;
    fwrite(text, 1, before, out);
    fputs(name > 0 ? "LINE" : "", out);
    fwrite(at + name, 1, length - before - name, out);
}

/* The step of some rows, which calls the body's own one. */
static void put_choice(FILE *out, const char *machine, const bool *has, int bodies)
{
    static const char begin[] = "typedef void step_function(";
    const char *parameters = strstr(machine, begin);
    assert_non_null(parameters);
    parameters += sizeof begin - 2;
    const char *end = strchr(parameters, ';');
    fprintf(out, "static void step_exact%.*s\n{\nswitch (atoi(getenv(\"BODY\"))) {\n",
            (int)(end - parameters), parameters);
    for (int b = 0; b < bodies; b++) {
        if (!has[b])
            continue;
        fprintf(out, "case %d: STEP_ROWS_%d(", b, b);
        for (const char *word = parameters; word < end; word++) {
            const size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyz_");
            if (length > 0 && strchr(",)", word[length]) != NULL)
                fprintf(out, "%.*s%s", (int)length, word, word[length] == ',' ? ", " : ");");
            word += length > 0 ? length - 1 : 0;
        }
        fputs(" return;\n", out);
    }
    fputs("}\n}\n", out);
}

static void put_steps(const char *folder_of, const bool *has, int bodies, int variant)
{
    FILE *out = open_text(folder_of, "steps.c");
    size_t machine = 0;
    char *first = NULL;
    for (int b = 0; b < bodies; b++) {
        if (!has[b])
            continue;
        char *text = read_text(folder_of, b, "steps.c"), *at = strstr(text, kernel_begins);
        char *together = strstr(text, "define TOGETHER ");
        assert_non_null(together);
        together[sizeof "define TOGETHER " - 1] =
            variant % 3 == 0 ? '1' : '4'; /* rows, for all bodies */
        if (at == NULL)
            fail_msg("steps.c has no line %s", kernel_begins);
        if (first == NULL) {
            machine = (size_t)(at - text);
            first = text;
            put_machine(out, text, machine, variant);
        } else if ((size_t)(at - text) != machine || memcmp(text, first, machine) != 0) {
            fail_msg("the machine of %s/%d is not that of its first", folder_of, b);
        }
        put_kernel(out, b, at);
        if (text != first)
            free(text);
    }
    put_choice(out, first, has, bodies);
    free(first);
    fclose(out);
}

void program_batch_write(const char *folder_of, const bool *has, int bodies, int variant)
{
    char command[512];
    int first = 0;
    while (!has[first])
        first++;
    snprintf(command, sizeof command, "mkdir -p %s/all/c", folder_of);
    expect(command, 0, "");
    copy_common(folder_of, has, bodies, first);
    put_steps(folder_of, has, bodies, variant);
    char *reference = read_text(folder_of, first, "reference.c");
    FILE *out = open_text(folder_of, "reference.c");
    fputs(reference, out);
    fclose(out);
    free(reference);
}

FILE *program_batch_build(const char *folder_of)
{
    char command[512];
    snprintf(command, sizeof command,
             "cd %s && ls -d */all/c | xargs -P 2 -I @ sh -c 'make -s -C @ CFLAGS=\"-O0 -w\" "
             "CONTRACTED= MORE= 2>&1'",
             folder_of);
    FILE *builds = popen(command, "r");
    assert_non_null(builds);
    return builds;
}

void program_batch_wait(FILE *builds)
{
    char *said = slurp(builds);
    pclose(builds);
    free(said);
}
