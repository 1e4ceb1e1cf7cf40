/* SPDX-License-Identifier: MIT */
#include "support/kernel_mutants.h"
#include "support/support.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/ops/table.h"

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

void kernel_hunt_check(const struct kernel_hunt *hunt)
{
    for (int k = 0; k < hunt->count; k++) {
        const struct kernel_mutant *mutant = &hunt->mutants[k];
        char *text = mutate(mutant);
        assert_non_null(qp_variant_find(mutant->row));
        assert_string_not_equal(mutant->old, mutant->instead);
        free(text);
    }
}

/* ---- Compiling ---- */

/* False, with a sentence in qp_error(), where nothing can be compiled: no nvcc, no sources. */
static bool can_compile(void)
{
    if (access(LIBRARY, R_OK) != 0 || access(QP_SOURCE_DIR "/src/lab/plan/kernel.h", R_OK) != 0)
        qp_fail(QP_UNSUPPORTED, "the sources and " LIBRARY " are not here");
    else if (system("PATH=$PATH:/usr/local/cuda/bin command -v nvcc >/dev/null") != 0)
        qp_fail(QP_UNSUPPORTED, "there is no nvcc here");
    else
        return true;
    return false;
}

/* Headers that kernels share, and files that define the entries; they find the header included
 * already. */
static const char *const shared[][2] = {
    {"lab/ops/jacobi9/kernels.cuh", "lab/ops/jacobi9/simple.cu"},
    {"lab/ops/poisson5/cuda/poisson.cuh", "lab/ops/poisson5/cuda/naive.cu"},
    {"lab/ops/poisson5/cuda/tile.cuh", "lab/ops/poisson5/cuda/ladder.cu"},
    {"lab/ops/poisson5/cuda/temporal.cuh", "lab/ops/poisson5/cuda/temporal.cu"},
    {"lab/ops/poisson5/cuda/temporal.cuh", "lab/ops/poisson5/cuda/red_black.cu"},
    {"lab/ops/poisson5/cuda/temporal_steps.cuh", "lab/ops/poisson5/cuda/temporal.cu"},
    {"lab/ops/gauss_jordan_batch/registers.cuh", "lab/ops/gauss_jordan_batch/registers.cu"},
    {"lab/ops/poisson5/cuda/resident.cuh", "lab/ops/poisson5/cuda/resident.cu"},
    {"lab/ops/access/banks.h", "lab/ops/access/shared.cu"},
    {"lab/ops/access/indices.h", "lab/ops/access/global.cu"},
    {"lab/ops/reduce/pairs.h", "lab/ops/reduce/ladder.cu"},
    {"lab/ops/transpose/index.h", "lab/ops/transpose/ladder.cu"}};

/* Appends to the text the line that returns its entry, be it defined there or in another file that
 * launches the kernel. */
static void write_mutant(const struct kernel_mutant *mutant, int k)
{
    const char *entry = mutant->entry;
    char path[128], *text = mutate(mutant);
    snprintf(path, sizeof path, "%s/%d.cu", folder, k);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    for (int i = 0; i < COUNT(shared); i++) {
        if (strcmp(mutant->file, shared[i][0]) == 0)
            fprintf(file, "#include \"%s\"\n", shared[i][1]);
    }
    fprintf(file, "extern \"C\" const struct qp_cuda_kernel %s;\n", entry);
    fprintf(file, "extern \"C\" const struct qp_cuda_kernel *mutant(void) { return &%s; }\n",
            entry);
    assert_int_equal(fclose(file), 0);
    free(text);
}

/* All, several at a time. */
static void compile(const struct kernel_mutant *mutants, int count)
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

/* A copy of the variant and its recipe that launches the k-th mutant's kernel. It stays loaded. */
struct mutant_row {
    struct qp_variant variant;
    struct qp_recipe recipe;
};

static void load(const struct kernel_mutant *mutant, int k, struct mutant_row *out)
{
    const struct qp_variant *variant = qp_variant_find(mutant->row);
    char path[128];
    assert_non_null(variant);
    snprintf(path, sizeof path, "%s/%d.cu.so", folder, k);
    out->variant = *variant;
    out->recipe = *variant->recipe;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        fail_msg("%s", dlerror());
    const struct qp_cuda_kernel *(*entry)(void);
    *(void **)&entry = dlsym(library, "mutant");
    assert_non_null(entry);
    out->recipe.kernel = entry();
    out->variant.recipe = &out->recipe;
}

static void remove_compiled(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

/* ---- The hunt ---- */

/* A fault is no verdict, and where one was there is nothing left to walk on. */
static enum qp_verdict walk(struct qp_context *context, const struct qp_variant *variant,
                            const struct qp_problem_desc *desc, int steps)
{
    struct qp_problem problem;
    struct qp_result result;
    assert_ok(qp_problem_create(desc, &problem));
    assert_ok(qp_walk(qp_variant_draws(variant) ? context : NULL, variant, &problem,
                      &(struct qp_walk_desc){.iterations = steps}, &result));
    if (result.cause == QP_DEVICE && strstr(result.reason, "stage 8") == NULL)
        fail_msg("%s: %s", variant->name, result.reason);
    qp_problem_destroy(&problem);
    return result.verdict;
}

/* Walks a variant on problems of one size, of all kinds that it takes, until a verdict is this
 * one. */
static bool meets_at(struct qp_context *context, const struct kernel_hunt *hunt,
                     const struct qp_size *size, const struct qp_variant *variant,
                     enum qp_verdict verdict)
{
    const struct qp_op *op = qp_op_find(variant->op);
    bool met = false;
    for (int k = 0; !met; k++) {
        struct qp_problem_desc desc = hunt->desc;
        desc.width = size->width;
        desc.height = size->height;
        desc.kind = hunt->kinds != NULL ? hunt->kinds[k] : op->kinds[k].name;
        if (desc.kind == NULL)
            break;
        desc.seed = 3;
        if (variant->recipe->not_kinds >> qp_op_kind(op, desc.kind) & 1)
            continue;
        met = walk(context, variant, &desc, hunt->steps) == verdict;
    }
    return met;
}

static bool meets(struct qp_context *context, const struct kernel_hunt *hunt,
                  const struct qp_variant *variant, enum qp_verdict verdict)
{
    const struct qp_size *size = hunt->sizes;
    while (size->width > 0 && !meets_at(context, hunt, size, variant, verdict))
        size++;
    return size->width > 0;
}

static void check_unharmed(struct qp_context *context, const struct kernel_hunt *hunt)
{
    for (int k = 0; k < hunt->count; k++) {
        const char *name = hunt->mutants[k].row;
        const struct qp_variant *variant = qp_variant_find(name);
        if (k > 0 && strcmp(name, hunt->mutants[k - 1].row) == 0)
            continue;
        if (meets(context, hunt, variant, QP_FAIL) || !meets(context, hunt, variant, QP_PASS))
            fail_msg("%s fails", variant->name);
    }
}

void kernel_hunt_run(void **state, const struct kernel_hunt *hunt)
{
    const struct qp_variant *first = qp_variant_find(hunt->mutants[0].row);
    struct qp_context *context =
        qp_variant_draws(first) ? support_need_context(state) : (struct qp_context *)*state;
    int survivors = 0;
    if (!support_is_built(first) || !support_can_share(context, first) || !can_compile()) {
        print_message("%s\n", qp_error());
        skip();
    }
    check_unharmed(context, hunt);
    compile(hunt->mutants, hunt->count);
    for (int k = 0; k < hunt->count; k++) {
        const struct kernel_mutant *mutant = &hunt->mutants[k];
        struct mutant_row row;
        load(mutant, k, &row);
        if (meets(context, hunt, &row.variant, QP_FAIL))
            continue;
        survivors++;
        print_error("%s: '%s' for '%s' survives\n", mutant->row, mutant->instead, mutant->old);
    }
    remove_compiled();
    assert_int_equal(survivors, 0);
}
