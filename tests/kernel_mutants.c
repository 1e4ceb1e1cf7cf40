/* SPDX-License-Identifier: MIT */
#include "kernel_mutants.h"
#include "support.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY QP_BUILD_DIR "/libquadpass.a"

static char folder[64];

static char *read_source(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/src/%s", QP_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return NULL;
    char *text = NULL;
    size_t room = 0;
    assert_true(getdelim(&text, &room, '\0', file) > 0);
    fclose(file);
    return text;
}

/* The mutated text, which the caller frees. */
static char *mutate(const struct kernel_mutant *mutant)
{
    char *text = read_source(mutant->file), *changed;
    if (text == NULL)
        fail_msg("there is no src/%s", mutant->file);
    char *after = strstr(text, mutant->after);
    char *place = after != NULL ? strstr(after, mutant->old) : NULL;
    if (place == NULL || strstr(after + 1, mutant->after) != NULL)
        fail_msg("%s: no '%s' behind one '%s'", mutant->file, mutant->old, mutant->after);
    assert_true(asprintf(&changed, "%.*s%s%s", (int)(place - text), text, mutant->instead,
                         place + strlen(mutant->old)) > 0);
    free(text);
    return changed;
}

void kernel_mutants_check(const struct kernel_mutant *mutant)
{
    char *text = mutate(mutant);
    assert_string_not_equal(mutant->old, mutant->instead);
    free(text);
}

bool kernel_mutants_can(void)
{
    if (access(LIBRARY, R_OK) != 0 || access(QP_SOURCE_DIR "/src/ops/kernel.h", R_OK) != 0)
        qp_fail(QP_UNSUPPORTED, "the sources and " LIBRARY " are not here");
    else if (system("PATH=$PATH:/usr/local/cuda/bin command -v nvcc >/dev/null") != 0)
        qp_fail(QP_UNSUPPORTED, "there is no nvcc here");
    else
        return true;
    return false;
}

/* Behind the text stands what gives its entry away, be it defined there or in another file that
 * launches what is. A header comes before the file of its name, which finds it included. */
static void write_mutant(const struct kernel_mutant *mutant, int k)
{
    const char *entry = mutant->entry, *suffix = strstr(mutant->file, ".cuh");
    char path[128], *text = mutate(mutant);
    snprintf(path, sizeof path, "%s/%d.cu", folder, k);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    if (suffix != NULL)
        fprintf(file, "#include \"%.*s.cu\"\n", (int)(suffix - mutant->file), mutant->file);
    fprintf(file, "extern \"C\" const struct qp_kernel %s;\n", entry);
    fprintf(file, "extern \"C\" const struct qp_kernel *mutant(void) { return &%s; }\n", entry);
    assert_int_equal(fclose(file), 0);
    free(text);
}

void kernel_mutants_compile(const struct kernel_mutant *mutants, int count)
{
    char command[1024];
    strcpy(folder, "/tmp/quadpass-kernels-XXXXXX");
    assert_non_null(mkdtemp(folder));
    for (int k = 0; k < count; k++)
        write_mutant(&mutants[k], k);
    snprintf(command, sizeof command,
             "cd %s && ls *.cu | PATH=$PATH:/usr/local/cuda/bin xargs -P \"$(nproc)\" -I {} nvcc "
             "-std=c++20 -arch=native -shared -Xcompiler -fPIC -I" QP_SOURCE_DIR
             "/include -I" QP_SOURCE_DIR "/src {} " LIBRARY " -o {}.so >log 2>&1",
             folder);
    if (system(command) != 0)
        fail_msg("a mutant cannot be compiled: see %s/log", folder);
}

void kernel_mutants_load(const struct kernel_mutant *mutant, int k, struct mutant_row *out)
{
    const struct qp_variant *row = qp_variant_find(mutant->row);
    char path[128];
    assert_non_null(row);
    snprintf(path, sizeof path, "%s/%d.cu.so", folder, k);
    out->variant = *row;
    out->recipe = *row->recipe;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        fail_msg("%s", dlerror());
    const struct qp_kernel *(*entry)(void);
    *(void **)&entry = dlsym(library, "mutant");
    assert_non_null(entry);
    out->recipe.kernel = entry();
    out->variant.recipe = &out->recipe;
}

void kernel_mutants_end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}
