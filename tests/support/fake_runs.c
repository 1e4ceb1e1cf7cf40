/* SPDX-License-Identifier: MIT */
#include "support/fake_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/ops/table.h"
#include "lab/walk/checker.h"
#include "toolkit/base/status.h"
#include "toolkit/base/watch.h"
#include "tools/cmd/cmd.h"
#include "tools/cmd/solve/check_solves.h"

#define FAKE_CONTEXT ((struct qp_context *)&fake)

static double now;
static int runs;      /* since the command began */
static bool told;     /* a line of progress stands on the terminal */
static int parameter; /* parameter of the latest problems */
static bool made;     /* problems are made and not destroyed yet */

/* ---- Benchmarks ---- */

/* Variant number i of a run makes (1000 + width) / 1000 updates of cells in a nanosecond, divided
 * by the variant's own factor. */
static struct qp_record answer(const struct qp_variant *variant, const struct qp_problem *problem,
                               int i, const struct qp_bench_desc *desc)
{
    const struct qp_style style =
        desc->styles != NULL
            ? desc->styles[i]
            : (struct qp_style){.pingpong = desc->pingpong, .target = desc->target};
    const double factor = fake_factor(variant->name, &style);
    const int steps = desc->iterations > 0 ? desc->iterations : 7;
    const bool batch = qp_op_find(variant->op)->runs->counts_systems;
    const double usual = (1000.0 + problem->width) / 1000.0 / factor /
                         (fake.slowness > 0.0 ? fake.slowness : 1.0),
                 updates = 1e-9 * problem->width * problem->height * steps,
                 glups = usual / (1.0 + fake.latency * usual / updates);
    struct qp_record r = {.variant = variant,
                          .width = problem->width,
                          .height = problem->height,
                          .systems = batch ? problem->height : qp_variant_systems(variant),
                          .iterations = steps,
                          .seconds = updates / glups,
                          .upload_seconds = 1e-6 * problem->width,
                          .readback_seconds = 2e-6 * problem->width,
                          .glups = glups,
                          .gbytes_per_s = 10.0 * glups + 0.1 * (parameter > 0 ? parameter : 0),
                          .gflops = 20.0 * glups,
                          .error = 1e-7 * factor,
                          .tolerance = 1e-6,
                          .error_rms = 5e-8 * factor,
                          .verdict = qp_variant_is_bound(variant) ? QP_BOUND : QP_PASS,
                          .vertices = variant->backend == QP_GL ? 1e4 * problem->width : 0.0,
                          .parameter = parameter > 0 ? parameter : 0};
    r.style = style;
    r.block = r.style.block;
    r.occupancy = fake.occupancy;
    fake_split(&r, problem->height);
    r.group_x = r.style.group_x;
    r.group_y = r.style.group_y;
    snprintf(r.problem, sizeof r.problem, "%s", problem->kind != NULL ? problem->kind : "");
    fake_samples(&r);
    return r;
}

static void take_rates(struct qp_record *r, enum qp_verdict verdict, const char *reason)
{
    r->verdict = verdict;
    r->seconds = r->glups = r->gbytes_per_s = r->gflops = NAN;
    r->upload_seconds = r->readback_seconds = NAN;
    r->sample_count = 0;
    if (verdict == QP_SKIP)
        r->error = r->error_rms = NAN;
    snprintf(r->reason, sizeof r->reason, "%s", reason);
}

/* Presses Ctrl-C if this is the run; true if none of its walks is whole. */
static bool is_interrupted(void)
{
    if (++runs != fake.interrupted)
        return false;
    cmd_interrupted = 1;
    return fake.unfinished;
}

/* Prints how many variants there are, from which on: "all" where they are all that their operation
 * has. */
static void print_rows(const struct qp_variant *const variants[], int count)
{
    int all = 0;
    for (size_t i = 0; i < qp_variant_count(); i++)
        all += strcmp(qp_variant_at(i)->op, variants[0]->op) == 0;
    if (count == all && all > 1)
        printf("all rows from %s", variants[0]->name);
    else
        printf("%d rows from %s", count, variants[0]->name);
}

ANSWER(enum qp_status, qp_bench, struct qp_context *context,
       const struct qp_variant *const variants[], struct qp_problem *const problems[], int count,
       const struct qp_bench_desc *desc, struct qp_record *records)
{
    const struct qp_style usual = {.pingpong = desc->pingpong, .target = desc->target};
    const struct qp_style style = desc->styles != NULL ? desc->styles[0] : usual;
    assert_ptr_equal(context, fake.opens ? FAKE_CONTEXT : NULL);
    assert_ptr_equal(desc->interrupt, &cmd_interrupted);
    assert_string_equal(desc->no_device, fake.opens ? "" : "no OpenGL here");
    printf("> ");
    print_rows(variants, count);
    printf(": %d steps, %d repeats, %s %s, block %d\n", desc->iterations, desc->repeats,
           qp_pingpong_name(style.pingpong), qp_target_name(style.target), style.block);
    const bool stopped = is_interrupted();
    if (stopped && fake.refuses)
        return qp_watch_fail();
    for (int i = 0; i < count; i++) {
        struct qp_record *r = &records[i];
        *r = answer(variants[i], problems[i], i, desc);
        now += (desc->repeats > 0 ? desc->repeats : 5) * r->seconds;
        if (stopped)
            take_rates(r, QP_SKIP, "interrupted");
        else if (fake.absent != NULL && strstr(variants[i]->name, fake.absent) != NULL)
            take_rates(r, QP_SKIP, "not here");
        else if (fake.failing != NULL && strcmp(variants[i]->name, fake.failing) == 0 &&
                 (fake.failing_width == 0 || fake.failing_width == r->width))
            take_rates(r, QP_FAIL, "it is wrong");
        if (desc->on_walk != NULL)
            desc->on_walk(desc->user, i + 1, count);
    }
    return fake.ends == QP_OK || (fake.ending > 0 && fake.ending != runs)
               ? QP_OK
               : qp_fail(fake.ends, "%s", fake.sentence);
}

/* The reference of small problems. */
static double slope[32 * 32];

ANSWER(enum qp_status, cmd_problems_create, const struct options *options, const char *kind,
       int width, int height, bool equal_shares, const struct qp_variant *const variants[],
       int count, struct cmd_problems *out)
{
    printf("> %d x %d, %s, parameter %d%s\n", width, height, kind != NULL ? kind : "any kind",
           options->parameter, equal_shares ? ", equal shares" : "");
    *out = (struct cmd_problems){0};
    assert_false(made);
    if (fake.refused != NULL && strcmp(variants[0]->op, fake.refused) == 0)
        return qp_fail(QP_BAD_USE, "%s is not so small", fake.refused);
    parameter = options->parameter;
    made = true;
    out->one = (struct qp_problem){.op = qp_op_find(variants[0]->op),
                                   .kind = kind,
                                   .width = width,
                                   .height = height,
                                   .weight = 0.625};
    if (width * height <= COUNT(slope))
        out->one.reference = slope;
    for (int i = 0; i < count; i++)
        out->of[i] = &out->one;
    return QP_OK;
}

ANSWER(void, cmd_problems_destroy, struct cmd_problems *problems)
{
    assert_true(problems->of[0] == &problems->one || fake.refused != NULL);
    problems->of[0] = NULL; /* once */
    made = false;
}

/* ---- Checks and solves ---- */

/* All that is asked for, and the problems that are made for it. */
ANSWER(enum qp_status, qp_check_keeping, struct qp_context *context,
       const struct qp_variant *const variants[], int count, const struct qp_check_desc *desc,
       const struct qp_size *sizes, struct qp_kept_problems **kept, struct qp_tally *tallies)
{
    assert_null(*kept);
    assert_null(sizes);
    assert_true(context == NULL && count == 1 && desc->interrupt == &cmd_interrupted);
    assert_string_equal(desc->no_device, "no OpenGL here");
    printf("> %s at %d x %d, %d steps, %s %s, %d problems:", variants[0]->name, desc->width,
           desc->height, desc->iterations, qp_pingpong_name(desc->pingpong),
           qp_target_name(desc->target), desc->problems);
    for (int k = 0; k < desc->problems; k++) {
        struct qp_problem problem;
        if (desc->make(desc->user, k, desc->width > 0 ? desc->width : 8,
                       desc->height > 0 ? desc->height : 8, 1, &problem) != QP_OK) {
            printf(" %s\n", qp_error());
            return QP_BAD_USE;
        }
        printf(" %s %d", problem.kind, problem.parameter);
        qp_problem_destroy(&problem);
    }
    puts("");
    is_interrupted();
    *tallies = *fake.tally;
    tallies->worst.variant =
        tallies->passed + tallies->failed + tallies->skipped > 0 ? variants[0] : NULL;
    return fake.ends == QP_OK ? QP_OK : qp_fail(fake.ends, "%s", fake.sentence);
}

ANSWER(enum qp_status, check_solves, const struct options *options, struct qp_context *context,
       const struct qp_variant *variant, struct solved *out)
{
    (void)options, (void)context;
    printf("> solves of %s\n", variant->name);
    is_interrupted();
    *out = (struct solved){0};
    if (fake.solved == NULL)
        return qp_fail(QP_UNSUPPORTED, "no solver here");
    *out = *fake.solved;
    return QP_OK;
}

/* ---- Surroundings ---- */

ANSWER(enum qp_status, command_open, struct command *command,
       const struct qp_variant *const variants[], int count)
{
    printf("> open for ");
    print_rows(variants, count);
    puts("");
    snprintf(command->why, sizeof command->why, "%s", fake.opens ? "" : "no OpenGL here");
    command->context = fake.opens ? FAKE_CONTEXT : NULL;
    if (!fake.opens)
        qp_fail(QP_NO_DEVICE, "%s", command->why);
    return QP_OK;
}

ANSWER(enum qp_status, qp_context_create, const struct qp_context_desc *desc,
       struct qp_context **context)
{
    printf("> open %s\n", desc->device != NULL ? desc->device : "any device");
    *context = fake.opens ? FAKE_CONTEXT : NULL;
    return fake.opens ? QP_OK : qp_fail(QP_NO_DEVICE, "no OpenGL here");
}

ANSWER(void, qp_context_destroy, struct qp_context **context)
{
    if (*context != NULL)
        puts("> close");
    *context = NULL;
}

ANSWER(const struct qp_device *, qp_context_device, const struct qp_context *context)
{
    static const struct qp_device device = {.renderer = "a lamp",
                                            .vendor = "a shop",
                                            .version = "1.5 bright",
                                            .glsl = "1.2",
                                            .egl = "1.4 here",
                                            .why = "the only one",
                                            .software = true,
                                            .abilities = 1 | 1 << 2 | 1 << (QP_ABILITIES - 1),
                                            .rectangle_limit = 11,
                                            .texture_limit = 12,
                                            .texture_units = 13,
                                            .colour_attachments = 14,
                                            .draw_buffers = 15};
    assert_ptr_equal(context, FAKE_CONTEXT);
    return &device;
}

ANSWER(void, cmd_device, struct qp_context *context, const struct qp_record *records, int count,
       char text[CMD_DEVICE])
{
    (void)context, (void)records;
    snprintf(text, CMD_DEVICE, "%s", count > 2 ? "a device" : "");
}

ANSWER(int, qp_context_cuda_ordinal, const struct qp_context *context)
{
    (void)context;
    return fake.ordinal;
}

ANSWER(double, qp_clock, void)
{
    return now += fake.tick;
}

ANSWER(double, octave_solve, int unknowns)
{
    printf("> Octave for %d\n", unknowns);
    return fake.octave > 0.0 && unknowns <= fake.octave_most ? fake.octave * pow(unknowns * 1e-3, 3)
                                                             : NAN;
}

ANSWER(void, progress_say, const char *format, ...)
{
    va_list arguments;
    fputs("> progress: ", stdout);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    fputc('\n', stdout);
    told = true;
}

ANSWER(void, progress_end, void)
{
    if (told)
        puts("> progress ends");
    told = false;
}

/* ---- The command ---- */

static char path[256]; /* a process's own: programs of tests run side by side */

/* Lines of both streams stand in the file in their order. */
__attribute__((constructor)) static void write_lines(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    unsetenv("QUADPASS_REQUIRE"); /* is for variants that run */
}

/* Makes a stream lead to the file; returns where it led. */
static int divert(FILE *stream)
{
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fflush(stream);
    const int kept = dup(fileno(stream));
    dup2(fileno(file), fileno(stream));
    fclose(file);
    return kept;
}

static void restore(FILE *stream, int kept)
{
    fflush(stream);
    dup2(kept, fileno(stream));
    close(kept);
}

const char *fake_command(int (*command)(int argc, char **argv), const char *line)
{
    static char text[1 << 17];
    char words[512], *word[64], *rest = words;
    int count = 0;
    snprintf(words, sizeof words, "%s", line);
    while ((word[count] = strsep(&rest, " ")) != NULL)
        count++;
    snprintf(path, sizeof path, QP_BUILD_DIR "/tests/fake.%d", (int)getpid());
    for (int i = 0; i < COUNT(slope); i++)
        slope[i] = i;
    now = 1000.0;
    cmd_interrupted = runs = 0;
    made = false;
    const int out = divert(stdout), error = divert(stderr);
    const int code = command(count, word);
    restore(stderr, error);
    restore(stdout, out);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text - 16, file);
    fclose(file);
    remove(path);
    snprintf(text + length, 16, "= %d\n", code);
    fake_shorten(text);
    assert_false(made);
    qp_watch_set((struct qp_watch){0});
    cmd_interrupted = 0;
    fake = (struct fake_orders){0};
    told = false;
    return text;
}
