/* SPDX-License-Identifier: MIT */
#include "support/random_batch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/kernel_runs.h"
#include "support/program_batch.h"
#include "support/shell.h"
#include "toolkit/gl/context/context.h"
#include "tools/cmd/run/machine.h"
#include "tools/stencil/stencil.h"

enum { PATIENCE = 500 /* seconds */ };

struct random_batch batch;

struct random_case *random_batch_case(int f, int b)
{
    return &batch.of[f * RANDOM_BODIES + b];
}

void random_batch_file(int f, int b, const char *end, char path[RANDOM_PATH])
{
    snprintf(path, RANDOM_PATH, "%s/%d/%d/%s", folder, f, b, end);
}

struct random_answer *random_batch_answer(const char *by)
{
    batch.shared->answer = (struct random_answer){.by = by};
    return &batch.shared->answer;
}

static void note(struct random_answer *answer, enum qp_status status)
{
    answer->refused = status != QP_OK;
    snprintf(answer->sentence, sizeof answer->sentence, "%s", status != QP_OK ? qp_error() : "");
}

void random_batch_judge(int f, int b, int states)
{
    const char *keep = getenv("QUADPASS_KEEP");
    const int before = batch.shared->count.differ;
    char command[4 * RANDOM_PATH], path[RANDOM_PATH];
    random_judge(random_batch_case(f, b), &batch.shared->answer, states, &batch.shared->count);
    if (keep == NULL || batch.shared->count.differ == before)
        return;
    random_batch_file(f, b, "", path);
    snprintf(command, sizeof command, "mkdir -p %.200s/%llu-%d && cp %s*.* %.200s/%llu-%d", keep,
             (unsigned long long)random_batch_case(f, b)->seed, b, path, keep,
             (unsigned long long)random_batch_case(f, b)->seed, b);
    expect(command, 0, "");
}

/* ---- Drawing ---- */

bool random_batch_draws(void)
{
    return batch.context != NULL &&
           strstr(qp_context_device(batch.context)->renderer, "llvmpipe") != NULL;
}

static void draw_on_device(int f, int b)
{
    const int limit = batch.context->device.rectangle_limit, small = 3 * batch.frame[f].reach + 2;
    double *cells[RANDOM_ARRAYS];
    char path[RANDOM_PATH];
    random_batch_file(f, b, "k.frag", path);
    const bool in_tiles = b % 3 == 0 || (random_batch_case(f, b)->kinds & RANDOM_MOVED) != 0;
    for (int tiles = 0; tiles <= in_tiles; tiles++) {
        struct random_answer *answer = random_batch_answer(tiles ? "gl in tiles" : "gl");
        struct qp_kernel_file *file;
        for (int k = 0; k < RANDOM_ARRAYS; k++)
            cells[k] = answer->cells[k];
        enum qp_status status = qp_kernel_read(path, &file);
        if (tiles)
            batch.context->device.rectangle_limit = small;
        if (status == QP_OK)
            status = kernel_run(batch.context, file, NULL, cells);
        batch.context->device.rectangle_limit = limit;
        qp_kernel_file_destroy(&file);
        note(answer, status);
        answer->tiles = tiles;
        random_batch_judge(f, b, batch.frame[f].states);
    }
}

/* ---- Programs ---- */

/* Leaves out what a program takes at its start, as programs of --backend do. */
static void forget_values(struct qp_kernel_file *file)
{
    file->head.steps = file->head.width = file->head.height = 0;
    for (int k = 0; k < file->inputs; k++) {
        file->array[k].made = QP_MADE_NOT;
        file->array[k].from = NULL;
    }
}

/* The program's text, unless the kernel is refused. */
static void write_program(int f, int b)
{
    struct qp_kernel_file *file;
    struct qp_stencil stencil;
    char path[RANDOM_PATH];
    random_batch_file(f, b, "k.frag", path);
    enum qp_status status = qp_kernel_read(path, &file);
    if (status == QP_OK)
        forget_values(file);
    if (status == QP_OK)
        status = qp_stencil_read(file, &stencil);
    batch.written[f][b] = status == QP_OK;
    if (status == QP_OK) {
        random_batch_file(f, b, "", path);
        stencil.is_served = batch.served[f];
        batch.is_cxx[f][b] = stencil.is_cxx;
        assert_ok(qp_stencil_write(&stencil, "c", path));
    } else {
        struct random_answer *answer = random_batch_answer("what writes programs");
        note(answer, status);
        answer->generated = true;
        random_batch_judge(f, b, 0);
    }
    qp_kernel_file_destroy(&file);
}

static void write_frame(int f)
{
    char path[RANDOM_PATH];
    int count = 0, first = 0;
    snprintf(path, sizeof path, "%s/%d", folder, f);
    assert_true(mkdir(path, 0777) == 0);
    for (int b = 0; b < RANDOM_BODIES; b++) {
        random_batch_file(f, b, "", path);
        random_case_write(random_batch_case(f, b), path);
        write_program(f, b);
        batch.joined[f][b] = batch.written[f][b] &&
                             (random_batch_case(f, b)->kinds & RANDOM_MOVED) == 0 &&
                             (count == 0 || batch.is_cxx[f][b] == batch.is_cxx[f][first]);
        first = count == 0 ? b : first;
        count += batch.joined[f][b];
    }
    snprintf(path, sizeof path, "%s/%d", folder, f);
    if (count > 0)
        program_batch_write(path, batch.joined[f], RANDOM_BODIES, f);
}

/* ---- Programs that quadpass drives ---- */

/* Computes a kernel on a machine, in a process of its own, which may crash. Without a program one
 * is compiled for the target. */
static void run_machine_of(int f, int b, const char *target, const char *program)
{
    struct random_answer *answer = &batch.shared->answer;
    struct run_machine machine = {.backend =
                                      strcmp(target, "c") == 0 ? BACKEND_CPU : BACKEND_COMPUTE};
    struct qp_kernel_file *file;
    struct qp_stencil stencil;
    double *cells[RANDOM_ARRAYS];
    char path[RANDOM_PATH], body[16];
    alarm(PATIENCE);
    snprintf(body, sizeof body, "%d", b);
    setenv("BODY", body, 1);
    for (int k = 0; k < RANDOM_ARRAYS; k++)
        cells[k] = answer->cells[k];
    random_batch_file(f, b, "k.frag", path);
    enum qp_status status = qp_kernel_read(path, &file);
    machine.kernel = file;
    if (status == QP_OK && program != NULL)
        machine.build.file = open(program, O_RDONLY | O_CLOEXEC);
    else if (status == QP_OK)
        status = qp_stencil_read(file, &stencil);
    if (status == QP_OK && program == NULL)
        status = qp_build_make(&stencil, target, &machine.build);
    if (status == QP_OK)
        status = kernel_run(NULL, file, &machine, cells);
    note(answer, status);
}

static void ask_machine(int f, int b, const char *target, const char *program)
{
    struct random_answer *answer =
        random_batch_answer(strcmp(target, "c") == 0 ? "--backend cpu" : "--backend compute");
    int ending;
    answer->generated = true;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        run_machine_of(f, b, target, program);
        _exit(0);
    }
    while (waitpid(child, &ending, 0) < 0 && errno == EINTR)
        continue;
    answer->crash = WIFSIGNALED(ending) ? WTERMSIG(ending) : 0;
    random_batch_judge(f, b, batch.frame[f].states);
}

/* A frame whose program is not built has a kernel that does not compile: each is asked alone, and
 * so is one whose offsets give it another reach than its frame. */
static void ask_machines(void)
{
    char path[RANDOM_PATH];
    for (int f = 0; f < batch.frames; f++) {
        snprintf(path, sizeof path, "%s/%d/all/c/k", folder, f);
        for (int b = 0; b < RANDOM_BODIES; b++) {
            const bool joined = batch.joined[f][b] && batch.built[f];
            if (batch.written[f][b] && (batch.served[f] || !joined))
                ask_machine(f, b, "c", joined ? path : NULL);
        }
    }
}

/* ---- All of it ---- */

static void draw_frame(int f, uint64_t seed, unsigned kinds)
{
    const uint64_t first = seed;
    random_frame_draw(&seed, kinds, &batch.frame[f]);
    batch.served[f] = first % 3 != 0;
    for (int b = 0; b < RANDOM_BODIES; b++) {
        random_case_draw(&batch.frame[f], b, &seed, random_batch_case(f, b));
        random_batch_case(f, b)->seed = first;
    }
    write_frame(f);
}

void random_batch_take(uint64_t seed, unsigned kinds)
{
    char path[512];
    for (int f = 0; f < batch.frames; f++)
        draw_frame(f, seed + (uint64_t)f, kinds);
    FILE *builds = program_batch_build(folder);
    for (int i = 0; i < batch.frames * RANDOM_BODIES; i++) {
        random_case_interpret(&batch.of[i]);
        if (random_batch_draws())
            draw_on_device(i / RANDOM_BODIES, i % RANDOM_BODIES);
    }
    program_batch_wait(builds);
    for (int f = 0; f < batch.frames; f++) {
        snprintf(path, sizeof path, "%s/%d/all/c/k", folder, f);
        batch.built[f] = access(path, X_OK) == 0;
    }
    random_batch_users();
    ask_machines();
    for (int f = 0; f < batch.frames && random_batch_draws(); f += 4)
        if (batch.written[f][0] && batch.frame[f].reach < 3) /* others take a minute to compile */
            ask_machine(f, 0, "compute", NULL);
    batch.shared->kernels += batch.frames * RANDOM_BODIES;
    snprintf(path, sizeof path, "rm -rf %s/*", folder);
    expect(path, 0, "");
}
