/* SPDX-License-Identifier: MIT */
#include "tools/cmd/tune/program.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lab/ops/reduce/reduce.h"
#include "lab/plan/problem.h"
#include "toolkit/cuda/device.h"
#include "toolkit/io/cache.h"
#include "tools/stencil/stencil.h"

#include "../templates/sizes.h"

/* ---- Launches ---- */

static struct tune_run *run_of(const struct qp_launch *launch)
{
    return (struct tune_run *)(uintptr_t)launch->user;
}

static size_t value_of(const struct tune_run *run, const char *name)
{
    const struct qp_space *space = run->space;
    int k = 0;
    while (strcmp(space->parameter[k].name, name) != 0)
        k++;
    return (size_t)space->parameter[k].number[qp_space_digit(space, run->configuration, k)];
}

static enum qp_status load(struct qp_launch *launch)
{
    struct tune_run *run = run_of(launch);
    const size_t bytes = (size_t)lseek(run->build.file, 0, SEEK_END);
    void *cubin = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, run->build.file, 0);
    if (cubin == MAP_FAILED)
        return qp_fail(QP_NO_MEMORY, "no memory for a kernel");
    const enum qp_status status = qp_nvrtc_load(cubin, "tuned", &run->loaded);
    munmap(cubin, bytes);
    return status;
}

static void unload(struct qp_launch *launch)
{
    qp_nvrtc_unload(&run_of(launch)->loaded);
}

static enum qp_status go(const struct qp_launch *launch, size_t blocks, void *arguments[])
{
    const struct tune_run *run = run_of(launch);
    return qp_nvrtc_launch(&run->loaded, blocks, (int)value_of(run, "threads"), 0,
                           launch->cuda->stream, arguments);
}

/* ---- Transposition ---- */

static enum qp_status turn(struct qp_launch *l)
{
    const int tile = (int)value_of(run_of(l), "tile");
    int across = (l->width + tile - 1) / tile, up = (l->height + tile - 1) / tile;
    void *arguments[] = {(void *)&l->input[0], &l->out, &l->width, &l->height, &across};
    return go(l, (size_t)across * (size_t)up, arguments);
}

/* ---- Reduction ---- */

/* Blocks of a launch for n values. */
static size_t blocks_of(const struct tune_run *run, size_t n)
{
    const size_t each = value_of(run, "threads") * value_of(run, "each");
    return (n + each - 1) / each;
}

/* The first launch leaves a value a block in one half of scratch memory, and the next ones in each
 * half in turn. */
static double scratch(const struct qp_launch *launch)
{
    const size_t blocks = blocks_of(run_of(launch), qp_problem_cells(launch->problem));
    return 2.0 * sizeof(float) * (double)(blocks + 3);
}

static enum qp_status add(struct qp_launch *l)
{
    int (*set)(void *memory, unsigned value, size_t count, void *stream);
    const struct tune_run *run = run_of(l);
    const bool atomic = value_of(run, "atomic") == 1;
    size_t n = qp_problem_cells(l->problem);
    float *const half[] = {l->scratch, (float *)l->scratch + (blocks_of(run, n) + 3) / 4 * 4};
    const float *from = l->input[0];
    float *to = NULL;
    enum qp_status status = QP_OK;
    if (atomic && qp_cuda_find("cuMemsetD32Async", &set))
        status = qp_cuda_check(set(l->out, 0, 1, l->cuda->stream), "set a sum to 0");
    for (int k = 0; to != l->out && status == QP_OK; k++) {
        const size_t blocks = blocks_of(run, n);
        void *arguments[] = {&from, &n, &to};
        to = atomic || blocks == 1 ? l->out : half[k % 2];
        status = go(l, blocks, arguments);
        from = to;
        n = blocks;
    }
    return status;
}

/* Tolerance of a value that takes part in a thread's additions, its block's, and those of all
 * blocks in any order. */
static double tolerance(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const struct tune_run *run = recipe->own;
    return qp_reduce_tolerance(
        problem, (double)(value_of(run, "each") + 10 + blocks_of(run, qp_problem_cells(problem))));
}

/* ---- Programs ---- */

#define KERNEL(step) .launch = step, .prepare = load, .release = unload

static const struct tune_program programs[] = {
    {"transpose/cuda_padded", "variants/transpose.cu", {KERNEL(turn)}, NULL},
    {"reduce/cuda_cascaded", "variants/reduce.cu", {KERNEL(add), .scratch = scratch}, tolerance},
};

const struct tune_program *tune_program_find(const char *row)
{
    for (size_t k = 0; k < sizeof programs / sizeof programs[0]; k++) {
        if (strcmp(programs[k].variant, row) == 0)
            return &programs[k];
    }
    return NULL;
}

struct qp_size tune_program_seams(void)
{
    enum { ACROSS = 512, UP = 256 }; /* half a block of 1024 threads and 256 values each */
    struct qp_size size;
    awkward_size(SIZE_OF_TILES, 0, ACROSS, UP, &size.width, &size.height);
    return size;
}

static enum qp_status close_template(FILE *in)
{
    return in != NULL && fclose(in) == 0 ? QP_OK
                                         : qp_fail(QP_NO_MEMORY, "no memory to read a template");
}

enum qp_status tune_program_put_space(const struct tune_program *program, FILE *out)
{
    static const char mark[] = "/*@ ";
    char line[256];
    uint64_t hash = 0;
    FILE *in = qp_template_open(program->file, false);
    while (in != NULL && fgets(line, sizeof line, in) != NULL) {
        char *end = strstr(line, " */");
        hash = qp_hash(hash, line, strlen(line));
        if (strncmp(line, mark, strlen(mark)) == 0 && end != NULL)
            fprintf(out, "%.*s\n", (int)(end - line - (long)strlen(mark)), line + strlen(mark));
    }
    fprintf(out, "fact program = %u\n", (unsigned)hash);
    return close_template(in);
}

enum qp_status tune_program_put(const struct tune_program *program, const struct qp_space *space,
                                int configuration, FILE *out)
{
    FILE *in = qp_template_open(program->file, false);
    char line[256];
    for (int k = 0; k < space->parameters; k++) {
        const struct qp_space_parameter *p = &space->parameter[k];
        fputs("#define ", out);
        for (const char *at = p->name; *at != '\0'; at++)
            fputc(toupper((unsigned char)*at), out);
        fprintf(out, " %s\n", p->text[qp_space_digit(space, configuration, k)]);
    }
    fputs("#line 1\n", out);
    while (in != NULL && fgets(line, sizeof line, in) != NULL)
        fputs(line, out);
    return close_template(in);
}

enum qp_status tune_program_make(const struct tune_program *program, const struct qp_space *space,
                                 int configuration, struct qp_build *out)
{
    char *text = NULL;
    size_t size = 0;
    FILE *all = open_memstream(&text, &size);
    if (all == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for a program's text");
    enum qp_status status = tune_program_put(program, space, configuration, all);
    fclose(all);
    if (status == QP_OK)
        status = qp_cubin_make(program->file, text, out);
    free(text);
    return status;
}
