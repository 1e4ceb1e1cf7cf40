/* SPDX-License-Identifier: MIT */
/* Programs of random kernels as users have them: compiled by their own Makefile, and run. */
#include <stdio.h>
#include <stdlib.h>

#include "support/kernel_runs.h"
#include "support/random_batch.h"
#include "support/shell.h"
#include "tools/stencil/stencil.h"

/* True for one step at once, and for another number; with LONG=1 for all. */
static bool takes(int f, int b, int at_once)
{
    return at_once == 1 || at_once == 2 << (f + b) % 3 || support_takes_long();
}

/* A run of a program that users have: the frame's, with so many steps at once; or the kernel's
 * own, with all that its head says. */
struct users_run {
    int f, b, at_once;
    const char *target; /* NULL: the frame's program */
};

/* Run number i of a batch; false: there is none. */
static bool find_run(int i, struct users_run *out)
{
    static const char *const targets[] = {"c", "gl", "compute"};
    const int f = i / 5 / RANDOM_BODIES, b = i / 5 % RANDOM_BODIES, k = i % 5;
    *out = (struct users_run){f, b, k < 4 ? 1 << k : 1, k < 4 ? NULL : targets[f / 7 % 3]};
    return batch.written[f][b] &&
           (k < 4 ? batch.built[f] && batch.joined[f][b] && !batch.served[f] &&
                        takes(f, b, out->at_once)
                  : f % 7 == 0 && b == 0 && batch.frame[f].reach < 3 && random_batch_draws());
}

static void name_run(const struct users_run *run, const char *end, char path[RANDOM_PATH])
{
    char name[32];
    snprintf(name, sizeof name, "%d%s.%s", run->at_once, run->target != NULL ? run->target : "",
             end);
    random_batch_file(run->f, run->b, name, path);
}

/* Writes the program of a kernel file as it is. */
static void write_own(const struct users_run *run)
{
    struct qp_kernel_file *file;
    struct qp_stencil stencil;
    char path[RANDOM_PATH];
    random_batch_file(run->f, run->b, "k.frag", path);
    assert_ok(qp_kernel_read(path, &file));
    assert_ok(qp_stencil_read(file, &stencil));
    random_batch_file(run->f, run->b, "own", path);
    assert_ok(qp_stencil_write(&stencil, run->target, path));
    qp_kernel_file_destroy(&file);
}

/* Its answer is its exit code, what it says, and a file of its first state. */
static void put_run(FILE *script, const struct users_run *run)
{
    const int f = run->f, b = run->b;
    const struct random_case *of = random_batch_case(f, b);
    char said[RANDOM_PATH], code[RANDOM_PATH], out[RANDOM_PATH];
    name_run(run, "said", said);
    name_run(run, "code", code);
    name_run(run, "npy", out);
    fputs("{ ", script);
    if (run->target != NULL)
        fprintf(script, "make -s -C %d/%d/own/%s CFLAGS='-O0 -w' && %d/%d/own/%s/k -o %s", f, b,
                run->target, f, b, run->target, out);
    else
        fprintf(script, "BODY=%d %d/all/c/k --set steps_at_once=%d --size %dx%d --steps %d -o %s",
                b, f, run->at_once, of->width, of->height, of->steps, out);
    for (int k = 0; k < batch.frame[f].arrays; k++)
        if (run->target == NULL || of->file[k])
            fprintf(script, " --input %s=%d/%d/%s.npy", batch.frame[f].array[k].name, f, b,
                    batch.frame[f].array[k].name);
    fprintf(script, "; } >%s 2>&1 || echo $? >%s\n", said, code);
}

static bool read_line(const struct users_run *run, const char *end, char *line, int size)
{
    char path[RANDOM_PATH];
    name_run(run, end, path);
    FILE *file = fopen(path, "r");
    const bool good = file != NULL && fgets(line, size, file) != NULL;
    if (file != NULL)
        fclose(file);
    return good;
}

static void judge_run(const struct users_run *run)
{
    const struct random_case *of = random_batch_case(run->f, run->b);
    char by[32], code[16], path[RANDOM_PATH];
    snprintf(by, sizeof by, "the program%s%s, %d at once", run->target != NULL ? " for " : "",
             run->target != NULL ? run->target : "", run->at_once);
    struct random_answer *answer = random_batch_answer(by);
    answer->generated = true;
    if (read_line(run, "code", code, sizeof code)) {
        read_line(run, "said", answer->sentence, sizeof answer->sentence);
        answer->refused = atoi(code) == 2;
        answer->crash = answer->refused ? 0 : atoi(code) - 128;
    } else {
        name_run(run, "npy", path);
        npy_read(path, of->frame->type, of->width * of->height, answer->cells[0]);
    }
    random_batch_judge(run->f, run->b, 1);
}

/* Checks programs: with integers and doubles, in which the reference computes the same bits, the
 * first kernel of a frame checks itself. */
static void check_program(int f)
{
    char command[512];
    int b = 0;
    while (!batch.joined[f][b])
        b++;
    snprintf(command, sizeof command,
             "cd %s && BODY=%d OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %d/all/c/k --check",
             folder, b, f);
    if (batch.frame[f].type == QP_ARRAY_FLOAT || batch.frame[f].kinds != 0 || shell(command) == 0)
        return;
    fputs(random_batch_case(f, b)->text, stderr);
    fail_msg("%s", output);
}

void random_batch_users(void)
{
    char command[512], path[RANDOM_PATH];
    struct users_run run;
    snprintf(path, sizeof path, "%s/run.sh", folder);
    FILE *script = fopen(path, "w");
    assert_non_null(script);
    for (int i = 0; i < 5 * batch.frames * RANDOM_BODIES; i++)
        if (find_run(i, &run)) {
            if (run.target != NULL)
                write_own(&run);
            put_run(script, &run);
        }
    fclose(script);
    snprintf(command, sizeof command,
             "cd %s && OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive sh -e run.sh", folder);
    expect(command, 0, "");
    for (int i = 0; i < 5 * batch.frames * RANDOM_BODIES; i++)
        if (find_run(i, &run))
            judge_run(&run);
    for (int f = 0; f < batch.frames; f++)
        if (batch.built[f] && !batch.served[f])
            check_program(f);
}
