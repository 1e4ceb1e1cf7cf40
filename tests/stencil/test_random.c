/* SPDX-License-Identifier: MIT */
/* Kernels that nobody wrote (tests/support/random_kernel.h): the interpreter, the device and
 * generated programs compute the same bits where functions are exact, and are as near as the
 * interpreter's bound elsewhere. */
#include "support/shell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/random.h"
#include "stencil/stencil.h"
#include "support/interpreter.h"
#include "support/kernel_runs.h"
#include "support/program_batch.h"
#include "support/random_kernel.h"

enum { BODIES = 10, FRAMES = 20, LONG_RUNS = 50, MOST_CELLS = 40 * 30 };

static struct qp_context *context;

/* A kernel with what it is run over, and what it gives. */
struct drawn {
    char text[RANDOM_LETTERS];
    int width, height, steps;
    double start[RANDOM_ARRAYS][MOST_CELLS], wanted[RANDOM_ARRAYS][MOST_CELLS],
        error[RANDOM_ARRAYS][MOST_CELLS];
};

static struct random_frame frame[FRAMES];
static struct drawn *drawn; /* FRAMES x BODIES */
static bool generated[FRAMES];

/* Counts over all kernels so far. */
static struct {
    int kernels, programs, cells, exact, doubtful, refused;
} total;

static const struct drawn *drawn_at(int f, int b)
{
    return &drawn[f * BODIES + b];
}

/* Prints a kernel, which is longer than a failure's sentence may be. */
static void show(const char *text)
{
    fputs(text, stderr);
}

/* ---- Drawing ---- */

static double draw_value(const struct random_frame *of, uint64_t *seed)
{
    if (of->type == QP_ARRAY_INT)
        return random_draw(seed, 14) - 4;
    if (random_draw(seed, 4) == 0)
        return random_draw(seed, 3) - 1;
    return (double)(float)qp_random(seed, -1.5, 1.5);
}

static void draw_kernel(int f, int b, uint64_t *seed)
{
    struct drawn *of = &drawn[f * BODIES + b];
    const int kind = random_draw(seed, 10),
              wide = kind == 0  ? 40
                     : kind < 3 ? 3
                                : 13,
              high = kind == 0  ? 30
                     : kind < 3 ? 3
                                : 11;
    random_kernel_draw(&frame[f], b, seed, of->text);
    of->width = 1 + random_draw(seed, wide);
    of->height = 1 + random_draw(seed, high);
    of->steps = 1 + random_draw(seed, 12);
    for (int k = 0; k < frame[f].arrays; k++)
        for (int i = 0; i < of->width * of->height; i++)
            of->start[k][i] = draw_value(&frame[f], seed);
}

static void name_file(int f, int b, const char *end, char path[256])
{
    snprintf(path, 256, "%s/%d/%d/%s", folder, f, b, end);
}

/* Frames with a kernel that no program is written of are run on the device alone: where functions
 * hand something out, a name in brackets is no number. */
static void write_frame(int f)
{
    char path[256];
    generated[f] = true;
    snprintf(path, sizeof path, "%s/%d", folder, f);
    assert_true(mkdir(path, 0777) == 0);
    for (int b = 0; b < BODIES; b++) {
        struct qp_kernel_file *file;
        struct qp_stencil stencil;
        name_file(f, b, "", path);
        assert_true(mkdir(path, 0777) == 0);
        snprintf(path, sizeof path, "%d/%d/k.frag", f, b);
        write_file(path, drawn_at(f, b)->text);
        name_file(f, b, "k.frag", path);
        assert_ok(qp_kernel_read(path, &file));
        const enum qp_status status = qp_stencil_read(file, &stencil);
        if (status != QP_OK && !frame[f].wide) {
            show(drawn_at(f, b)->text);
            fail_msg("%s", qp_error());
        }
        generated[f] = generated[f] && status == QP_OK;
        name_file(f, b, "", path);
        if (generated[f])
            assert_ok(qp_stencil_write(&stencil, "c", path));
        for (int k = 0; k < frame[f].arrays && generated[f]; k++) {
            char name[32];
            snprintf(name, sizeof name, "%s.npy", frame[f].array[k].name);
            name_file(f, b, name, path);
            npy_write(path, frame[f].type, drawn_at(f, b)->width, drawn_at(f, b)->height,
                      drawn_at(f, b)->start[k]);
        }
        qp_kernel_file_destroy(&file);
    }
    snprintf(path, sizeof path, "%s/%d", folder, f);
    if (generated[f])
        program_batch_write(path, BODIES, f);
}

/* ---- Comparing ---- */

static void compare(int f, int b, int state, const double *got, const char *by)
{
    const struct drawn *of = drawn_at(f, b);
    for (int i = 0; i < of->width * of->height; i++) {
        const double want = of->wanted[state][i], error = of->error[state][i];
        if (error < (double)INFINITY && !(fabs(got[i] - want) <= error) && !isnan(want)) {
            show(of->text);
            fail_msg("kernel %d of frame %d: state %d of cell (%d, %d) of %d x %d after %d steps "
                     "is %.17g by %s, and "
                     "%.17g by the interpreter, off %g at most",
                     b, f, state, i % of->width, i / of->width, of->width, of->height, of->steps,
                     got[i], by, want, error);
        }
    }
}

static void interpret(int f, int b)
{
    struct drawn *of = &drawn[f * BODIES + b];
    const struct random_frame *is = &frame[f];
    struct interpreter_grid grid = {.type = is->type,
                                    .width = of->width,
                                    .height = of->height,
                                    .states = is->states,
                                    .arrays = is->arrays,
                                    .numbers = is->numbers};
    memcpy(of->wanted, of->start, sizeof of->wanted);
    for (int k = 0; k < is->arrays; k++)
        grid.array[k] = (struct interpreter_array){is->array[k].name, is->array[k].outside,
                                                   is->array[k].value, of->wanted[k], of->error[k]};
    for (int k = 0; k < is->numbers; k++)
        grid.number[k] = (struct interpreter_number){is->number[k].name, is->number[k].values,
                                                     is->number[k].value};
    const char *why = interpreter_run(of->text, &grid, of->steps);
    if (why != NULL) {
        show(of->text);
        fail_msg("%s", why);
    }
    total.kernels++;
    for (int i = 0; i < is->states * of->width * of->height; i++) {
        const int k = i / (of->width * of->height), cell = i % (of->width * of->height);
        total.cells++;
        total.exact += of->error[k][cell] == 0.0;
        total.doubtful += !(of->error[k][cell] < 0.01);
        if (is->exact && of->error[k][cell] != 0.0) {
            show(of->text);
            fail_msg("a kernel of exact functions is off by %g", of->error[k][cell]);
        }
    }
}

/* True for llvmpipe: other drivers divide, mix and take dot products as they like
 * (docs/bits.md). */
static bool draws_bits_of_c(void)
{
    return context != NULL && strstr(qp_context_device(context)->renderer, "llvmpipe") != NULL;
}

static void draw_on_device(int f, int b)
{
    static double cells[RANDOM_ARRAYS][MOST_CELLS];
    const struct drawn *of = drawn_at(f, b);
    double *array[RANDOM_ARRAYS];
    struct qp_kernel_file *file;
    char path[256];
    name_file(f, b, "k.frag", path);
    assert_ok(qp_kernel_read(path, &file));
    memcpy(cells, of->start, sizeof cells);
    for (int k = 0; k < RANDOM_ARRAYS; k++)
        array[k] = cells[k];
    kernel_run(context, file, of->width, of->height, of->steps, array);
    qp_kernel_file_destroy(&file);
    for (int k = 0; k < frame[f].states; k++)
        compare(f, b, k, cells[k], "the device");
}

/* One, and another number of steps at once; with LONG=1 all. */
static int other_at_once(int f, int b)
{
    return 2 << (f + b) % 3;
}

static void put_program_runs(FILE *script)
{
    for (int i = 0; i < FRAMES * BODIES; i++) {
        const int f = i / BODIES, b = i % BODIES;
        for (int at_once = 1; at_once <= 8 && generated[f]; at_once *= 2) {
            if (at_once != 1 && at_once != other_at_once(f, b) && !support_takes_long())
                continue;
            fprintf(
                script,
                "BODY=%d %d/all/c/k --size %dx%d --steps %d --set steps_at_once=%d -o %d/%d/%d.npy",
                b, f, drawn_at(f, b)->width, drawn_at(f, b)->height, drawn_at(f, b)->steps, at_once,
                f, b, at_once);
            for (int k = 0; k < frame[f].arrays; k++)
                fprintf(script, " --input %s=%d/%d/%s.npy", frame[f].array[k].name, f, b,
                        frame[f].array[k].name);
            fputs("\n", script);
        }
    }
}

/* Checks programs: with integers and doubles, in which the reference computes the same bits, one
 * kernel of a frame checks itself. */
static void check_programs(void)
{
    for (int f = 0; f < FRAMES; f++) {
        char command[256];
        snprintf(command, sizeof command,
                 "cd %s && BODY=%d OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %d/all/c/k --check",
                 folder, f % BODIES, f);
        if (!generated[f] || frame[f].type == QP_ARRAY_FLOAT)
            continue;
        if (shell(command) != 0) {
            show(drawn_at(f, f % BODIES)->text);
            fail_msg("%s", output);
        }
    }
}

static void compare_programs(void)
{
    static double cells[MOST_CELLS];
    for (int i = 0; i < FRAMES * BODIES; i++) {
        const int f = i / BODIES, b = i % BODIES;
        total.programs += generated[f];
        total.refused += !generated[f];
        for (int at_once = 1; at_once <= 8 && generated[f]; at_once *= 2) {
            char name[16], path[256], by[64];
            if (at_once != 1 && at_once != other_at_once(f, b) && !support_takes_long())
                continue;
            snprintf(name, sizeof name, "%d.npy", at_once);
            name_file(f, b, name, path);
            npy_read(path, frame[f].type, drawn_at(f, b)->width * drawn_at(f, b)->height, cells);
            snprintf(by, sizeof by, "the program, %d at once", at_once);
            compare(f, b, 0, cells, by);
        }
    }
}

/* ---- The test ---- */

static void try_kernels(uint64_t *seed)
{
    char path[256];
    for (int f = 0; f < FRAMES; f++) {
        random_frame_draw(seed, &frame[f]);
        frame[f].exact = frame[f].type != QP_ARRAY_FLOAT || f % 4 != 3;
        frame[f].wide = frame[f].type == QP_ARRAY_FLOAT && f % 8 == 2;
        for (int b = 0; b < BODIES; b++)
            draw_kernel(f, b, seed);
        write_frame(f);
    }
    FILE *builds = program_batch_build(folder);
    for (int i = 0; i < FRAMES * BODIES; i++)
        interpret(i / BODIES, i % BODIES);
    for (int i = 0; i < FRAMES * BODIES && draws_bits_of_c(); i++)
        draw_on_device(i / BODIES, i % BODIES);
    program_batch_wait(builds);
    snprintf(path, sizeof path, "%s/run.sh", folder);
    FILE *script = fopen(path, "w");
    assert_non_null(script);
    put_program_runs(script);
    fclose(script);
    char command[512];
    snprintf(command, sizeof command,
             "cd %s && OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive sh -e run.sh", folder);
    expect(command, 0, "");
    compare_programs();
    check_programs();
    snprintf(command, sizeof command, "rm -rf %s/*", folder);
    expect(command, 0, "");
}

static void random_kernels(void **state)
{
    uint64_t seed = 34;
    const char *wanted = getenv("QUADPASS_RANDOM_KERNELS"); /* for less than LONG=1 takes */
    const int runs = wanted != NULL ? atoi(wanted) / (FRAMES * BODIES) : LONG_RUNS;
    (void)state;
    for (int i = 0; i < (support_takes_long() ? runs : 1); i++) {
        print_message("%d kernels from the seed %llu on\n", FRAMES * BODIES,
                      (unsigned long long)seed);
        try_kernels(&seed);
    }
    print_message(
        "%d kernels, %d in programs; of %d values %.1f %% compared bit for bit, %.1f %% in doubt\n",
        total.kernels, total.programs, total.cells, 100.0 * total.exact / total.cells,
        100.0 * total.doubtful / total.cells);
    assert_true(total.refused <= total.kernels / 10);
    assert_true(total.exact > total.cells / 2 && total.exact < total.cells);
    assert_true(total.doubtful < total.cells / 4);
}

static int begin(void **state)
{
    drawn = malloc(sizeof *drawn * FRAMES * BODIES);
    if (drawn == NULL || make_folder(state) != 0)
        return -1;
    support_open_context(state);
    context = *state;
    return 0;
}

static int end(void **state)
{
    free(drawn);
    support_close_context(state);
    return remove_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_kernels)};
    return cmocka_run_group_tests(tests, begin, end);
}
