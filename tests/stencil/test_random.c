/* SPDX-License-Identifier: MIT */
/* Kernels that nobody wrote (tests/support/random_kernel.h): the interpreter, the device and
 * generated programs compute the same bits where functions are exact, and are as near as the
 * interpreter's bound elsewhere; what one of them refuses, a kind of the kernel explains.
 *
 * QUADPASS_RANDOM=20000 is how many, QUADPASS_SEED=1 the first frame's seed, of ten kernels each,
 * QUADPASS_KINDS="moved names" the odd kinds, QUADPASS_JOBS=16 how many batches run at once, and
 * QUADPASS_KEEP=folder gets each kernel that differs, with its files. */
#include "support/shell.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/run/machine.h"
#include "gl/context.h"
#include "stencil/stencil.h"
#include "support/kernel_runs.h"
#include "support/program_batch.h"
#include "support/random_case.h"

enum { BODIES = 10, FRAMES = 20, KERNELS = BODIES * FRAMES, LONG_KERNELS = 10000, PATIENCE = 500 };

static struct qp_context *context;
static struct random_frame frame[FRAMES];
static struct random_case *cases; /* FRAMES x BODIES */
static bool written[FRAMES][BODIES], built[FRAMES], served[FRAMES];
static int frames; /* of the batch */

/* What processes write for those that started them: one of each batch that runs. */
struct slot {
    pid_t batch; /* 0: none */
    struct random_answer answer;
    struct random_count count;
    int kernels;
};
static struct slot *slots, *shared; /* shared: this batch's own */

static struct random_case *case_of(int f, int b)
{
    return &cases[f * BODIES + b];
}

static void name_file(int f, int b, const char *end, char path[RANDOM_PATH])
{
    snprintf(path, RANDOM_PATH, "%s/%d/%d/%s", folder, f, b, end);
}

static struct random_answer *new_answer(const char *by)
{
    shared->answer = (struct random_answer){.by = by};
    return &shared->answer;
}

static void note(struct random_answer *answer, enum qp_status status)
{
    answer->refused = status != QP_OK;
    snprintf(answer->sentence, sizeof answer->sentence, "%s", status != QP_OK ? qp_error() : "");
}

/* Judges the answer; a kernel that differs is kept with its files where that is asked for. */
static void judge(int f, int b, int states)
{
    const char *keep = getenv("QUADPASS_KEEP");
    const int before = shared->count.differ;
    char command[4 * RANDOM_PATH], path[RANDOM_PATH];
    random_judge(case_of(f, b), &shared->answer, states, &shared->count);
    if (keep == NULL || shared->count.differ == before)
        return;
    name_file(f, b, "", path);
    snprintf(command, sizeof command, "mkdir -p %.200s/%llu-%d && cp %s*.* %.200s/%llu-%d", keep,
             (unsigned long long)case_of(f, b)->seed, b, path, keep,
             (unsigned long long)case_of(f, b)->seed, b);
    expect(command, 0, "");
}

/* ---- Drawing ---- */

static void draw_on_device(int f, int b)
{
    const int limit = context->device.rectangle_limit, small = 3 * frame[f].reach + 2;
    double *cells[RANDOM_ARRAYS];
    char path[RANDOM_PATH];
    name_file(f, b, "k.frag", path);
    for (int tiles = 0; tiles < 2; tiles++) {
        struct random_answer *answer = new_answer(tiles ? "gl in tiles" : "gl");
        struct qp_kernel_file *file;
        for (int k = 0; k < RANDOM_ARRAYS; k++)
            cells[k] = answer->cells[k];
        enum qp_status status = qp_kernel_read(path, &file);
        if (tiles)
            context->device.rectangle_limit = small;
        if (status == QP_OK)
            status = kernel_run(context, file, NULL, cells);
        context->device.rectangle_limit = limit;
        qp_kernel_file_destroy(&file);
        note(answer, status);
        answer->tiles = tiles;
        judge(f, b, frame[f].states);
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
    name_file(f, b, "k.frag", path);
    enum qp_status status = qp_kernel_read(path, &file);
    if (status == QP_OK)
        forget_values(file);
    if (status == QP_OK)
        status = qp_stencil_read(file, &stencil);
    written[f][b] = status == QP_OK;
    if (status == QP_OK) {
        name_file(f, b, "", path);
        stencil.is_served = served[f];
        assert_ok(qp_stencil_write(&stencil, "c", path));
    } else {
        struct random_answer *answer = new_answer("what writes programs");
        note(answer, status);
        answer->generated = true;
        judge(f, b, 0);
    }
    qp_kernel_file_destroy(&file);
}

static void write_frame(int f)
{
    char path[RANDOM_PATH];
    int count = 0;
    snprintf(path, sizeof path, "%s/%d", folder, f);
    assert_true(mkdir(path, 0777) == 0);
    for (int b = 0; b < BODIES; b++) {
        name_file(f, b, "", path);
        random_case_write(case_of(f, b), path);
        write_program(f, b);
        count += written[f][b];
    }
    snprintf(path, sizeof path, "%s/%d", folder, f);
    if (count > 0)
        program_batch_write(path, written[f], BODIES, f);
}

/* ---- Programs that quadpass drives ---- */

/* Computes a kernel on a machine, in a process of its own, which may crash. Without a program one
 * is compiled for the target. */
static void run_machine_of(int f, int b, const char *target, const char *program)
{
    struct random_answer *answer = &shared->answer;
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
    name_file(f, b, "k.frag", path);
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
        new_answer(strcmp(target, "c") == 0 ? "--backend cpu" : "--backend compute");
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
    judge(f, b, frame[f].states);
}

/* ---- Programs that users have ---- */

/* One, and another number of steps at once; with LONG=1 all. */
static bool takes(int f, int b, int at_once)
{
    return at_once == 1 || at_once == 2 << (f + b) % 3 || support_takes_long();
}

/* Runs a program, whose answer is its exit code, what it says, and a file of its first state. */
static void put_run(FILE *script, int f, int b, int at_once)
{
    fprintf(script,
            "BODY=%d %d/all/c/k --size %dx%d --steps %d --set steps_at_once=%d -o %d/%d/%d.npy", b,
            f, case_of(f, b)->width, case_of(f, b)->height, case_of(f, b)->steps, at_once, f, b,
            at_once);
    for (int k = 0; k < frame[f].arrays; k++)
        fprintf(script, " --input %s=%d/%d/%s.npy", frame[f].array[k].name, f, b,
                frame[f].array[k].name);
    fprintf(script, " >%d/%d/%d.said 2>&1 || echo $? >%d/%d/%d.code\n", f, b, at_once, f, b,
            at_once);
}

static bool read_word(int f, int b, int at_once, const char *end, char *word, int size)
{
    char name[32], path[RANDOM_PATH];
    snprintf(name, sizeof name, "%d.%s", at_once, end);
    name_file(f, b, name, path);
    FILE *file = fopen(path, "r");
    const bool good = file != NULL && fgets(word, size, file) != NULL;
    if (file != NULL)
        fclose(file);
    return good;
}

static void judge_run(int f, int b, int at_once)
{
    char by[32], code[16], name[16], path[RANDOM_PATH];
    snprintf(by, sizeof by, "the program, %d at once", at_once);
    struct random_answer *answer = new_answer(by);
    answer->generated = true;
    if (read_word(f, b, at_once, "code", code, sizeof code)) {
        read_word(f, b, at_once, "said", answer->sentence, sizeof answer->sentence);
        answer->refused = atoi(code) == 2;
        answer->crash = answer->refused ? 0 : atoi(code) - 128;
    } else {
        snprintf(name, sizeof name, "%d.npy", at_once);
        name_file(f, b, name, path);
        npy_read(path, frame[f].type, case_of(f, b)->width * case_of(f, b)->height,
                 answer->cells[0]);
    }
    judge(f, b, 1);
}

/* Checks programs: with integers and doubles, in which the reference computes the same bits, the
 * first kernel of a frame checks itself. */
static void check_program(int f)
{
    char command[512];
    int b = 0;
    while (!written[f][b])
        b++;
    snprintf(command, sizeof command,
             "cd %s && BODY=%d OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %d/all/c/k --check",
             folder, b, f);
    if (frame[f].type == QP_ARRAY_FLOAT || frame[f].kinds != 0 || shell(command) == 0)
        return;
    fputs(case_of(f, b)->text, stderr);
    fail_msg("%s", output);
}

static void run_programs(void)
{
    char command[512], path[RANDOM_PATH];
    snprintf(path, sizeof path, "%s/run.sh", folder);
    FILE *script = fopen(path, "w");
    assert_non_null(script);
    for (int i = 0; i < frames * BODIES * 4; i++) {
        const int f = i / 4 / BODIES, b = i / 4 % BODIES, at_once = 1 << i % 4;
        if (built[f] && written[f][b] && !served[f] && takes(f, b, at_once))
            put_run(script, f, b, at_once);
    }
    fclose(script);
    snprintf(command, sizeof command,
             "cd %s && OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive sh -e run.sh", folder);
    expect(command, 0, "");
    for (int i = 0; i < frames * BODIES * 4; i++) {
        const int f = i / 4 / BODIES, b = i / 4 % BODIES, at_once = 1 << i % 4;
        if (built[f] && written[f][b] && !served[f] && takes(f, b, at_once))
            judge_run(f, b, at_once);
    }
}

/* A frame whose program is not built has a kernel that does not compile: each is asked alone. */
static void ask_machines(void)
{
    char path[RANDOM_PATH];
    for (int f = 0; f < frames; f++) {
        snprintf(path, sizeof path, "%s/%d/all/c/k", folder, f);
        for (int b = 0; b < BODIES; b++)
            if (written[f][b] && (served[f] || !built[f]))
                ask_machine(f, b, "c", built[f] ? path : NULL);
    }
}

/* ---- The test ---- */

/* True for llvmpipe: other drivers divide, mix and take dot products as they like
 * (docs/bits.md). */
static bool draws_bits_of_c(void)
{
    return context != NULL && strstr(qp_context_device(context)->renderer, "llvmpipe") != NULL;
}

static void draw_frame(int f, uint64_t seed, unsigned kinds)
{
    const uint64_t first = seed;
    random_frame_draw(&seed, kinds, &frame[f]);
    served[f] = first % 3 != 0;
    for (int b = 0; b < BODIES; b++) {
        random_case_draw(&frame[f], b, &seed, case_of(f, b));
        case_of(f, b)->seed = first;
    }
    write_frame(f);
}

static void try_kernels(uint64_t seed, unsigned kinds)
{
    char path[512];
    for (int f = 0; f < frames; f++)
        draw_frame(f, seed + (uint64_t)f, kinds);
    FILE *builds = program_batch_build(folder);
    for (int i = 0; i < frames * BODIES; i++) {
        random_case_interpret(&cases[i]);
        if (draws_bits_of_c())
            draw_on_device(i / BODIES, i % BODIES);
    }
    program_batch_wait(builds);
    for (int f = 0; f < frames; f++) {
        snprintf(path, sizeof path, "%s/%d/all/c/k", folder, f);
        built[f] = access(path, X_OK) == 0;
    }
    run_programs();
    ask_machines();
    for (int f = 0; f < frames; f++)
        if (built[f] && !served[f])
            check_program(f);
    for (int f = 0; f < frames && draws_bits_of_c(); f += 4)
        if (written[f][0] && frame[f].reach < 3) /* others take a minute to compile */
            ask_machine(f, 0, "compute", NULL);
    shared->kernels += frames * BODIES;
    snprintf(path, sizeof path, "rm -rf %s/*", folder);
    expect(path, 0, "");
}

/* Takes a batch in a process of its own: one that crashes is known by its seeds, and others go
 * on. */
static void start_batch(struct slot *slot, uint64_t seed, unsigned kinds, int count)
{
    void *state = NULL;
    slot->batch = fork();
    assert_true(slot->batch >= 0);
    if (slot->batch > 0)
        return;
    shared = slot;
    frames = count;
    snprintf(folder, strlen(folder) + 1, "/tmp/quadpass-test-XXXXXX");
    assert_true(make_folder(&state) == 0);
    support_open_context(&state);
    context = state;
    try_kernels(seed, kinds);
    support_close_context(&state);
    remove_folder(&state);
    exit(0);
}

/* Waits for a batch; false for one that was ended. */
static bool end_batch(int jobs)
{
    int ending;
    const pid_t child = wait(&ending);
    for (int i = 0; i < jobs; i++)
        slots[i].batch = slots[i].batch == child ? 0 : slots[i].batch;
    if (ending != 0)
        print_message("a batch ended with %d\n", ending);
    return ending == 0;
}

static uint64_t setting(const char *name, uint64_t usual)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : usual;
}

static int jobs_at_once(void)
{
    const int jobs = (int)setting("QUADPASS_JOBS", 1);
    return jobs > 0 ? jobs : 1;
}

/* Kinds that make test leaves out until what they find is mended; "": none. */
static const char awaited[] = "sizes digits outsides values moved unordered aliased handed "
                              "infinite small names macros remainders literals loops writes "
                              "unsigned";

static unsigned chosen_kinds(void)
{
    const char *text = getenv("QUADPASS_KINDS");
    unsigned kinds = 0;
    for (int bit = 0; bit < RANDOM_KINDS; bit++)
        if (text != NULL ? strcmp(text, "all") == 0 || strstr(text, random_kind_name(bit)) != NULL
                         : strstr(awaited, random_kind_name(bit)) == NULL)
            kinds |= 1u << bit;
    return kinds;
}

static struct slot sum(int jobs)
{
    struct slot all = {.kernels = 0};
    for (int i = 0; i < jobs; i++) {
        const struct random_count *count = &slots[i].count;
        all.kernels += slots[i].kernels;
        all.count.answers += count->answers;
        all.count.refused += count->refused;
        all.count.differ += count->differ;
        all.count.unsettled += count->unsettled;
        all.count.signs += count->signs;
        all.count.cells += count->cells;
        all.count.exact += count->exact;
        all.count.doubtful += count->doubtful;
    }
    return all;
}

static void print_counts(const struct slot *all, double seconds)
{
    const struct random_count *count = &all->count;
    print_message(
        "%d kernels, %d answers, %d refused, %d differ; of %ld values %.1f %% compared "
        "bit for bit, %.1f %% in doubt, %ld no number by C and one by others, %ld zeros of "
        "another sign; %.2f kernels a second\n",
        all->kernels, count->answers, count->refused, count->differ, count->cells,
        100.0 * (double)count->exact / (double)count->cells,
        100.0 * (double)count->doubtful / (double)count->cells, count->unsettled, count->signs,
        all->kernels / seconds);
}

static void random_kernels(void **state)
{
    const int all = (int)setting("QUADPASS_RANDOM", support_takes_long() ? LONG_KERNELS : KERNELS),
              jobs = jobs_at_once(), batches = (all + KERNELS - 1) / KERNELS;
    const uint64_t seed = setting("QUADPASS_SEED", 34);
    const time_t start = time(NULL);
    struct slot counted;
    bool good = true;
    (void)state;
    for (int next = 0, running = 0; next < batches || running > 0;) {
        int slot = 0;
        while (slot < jobs && slots[slot].batch > 0)
            slot++;
        if (next < batches && slot < jobs) {
            const int left = (all - next * KERNELS + BODIES - 1) / BODIES;
            start_batch(&slots[slot], seed + (uint64_t)(next++ * FRAMES), chosen_kinds(),
                        left < FRAMES ? left : FRAMES);
            running++;
            continue;
        }
        good = end_batch(jobs) && good;
        running--;
        counted = sum(jobs);
        print_counts(&counted, difftime(time(NULL), start) + 0.5);
    }
    assert_true(good);
    assert_int_equal(counted.count.differ, 0);
    assert_true(counted.count.exact > counted.count.cells / 2);
    assert_true(counted.count.doubtful < counted.count.cells / 4);
}

static int begin(void **state)
{
    (void)state;
    cases = malloc(sizeof *cases * KERNELS);
    slots = mmap(NULL, sizeof *slots * (size_t)jobs_at_once(), PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return cases != NULL && slots != MAP_FAILED ? 0 : -1;
}

static int end(void **state)
{
    if (shared != NULL) /* a batch that a failure ended */
        remove_folder(state);
    free(cases);
    return munmap(slots, sizeof *slots * (size_t)jobs_at_once());
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_kernels)};
    return cmocka_run_group_tests(tests, begin, end);
}
