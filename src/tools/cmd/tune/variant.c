/* SPDX-License-Identifier: MIT */
/* Configurations of variants: the choices of --block, --group, --pingpong, --target, --depth and
 * --split, or the constants of a program that generalises the variant. They are judged and timed as
 * `check` and `bench` do it. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/engines/engines.h"
#include "lab/engines/parts/parts.h"
#include "lab/ops/table.h"
#include "lab/plan/problem.h"
#include "lab/walk/timed_walk.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/status.h"
#include "toolkit/base/values.h"
#include "toolkit/base/watch.h"
#include "toolkit/cuda/device.h"
#include "toolkit/gl/groups.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/output/sentence.h"
#include "tools/cmd/style.h"
#include "tools/cmd/sweep.h"
#include "tools/cmd/tune/live.h"
#include "tools/cmd/tune/program.h"

enum {
    MOST_PROBLEMS = 16,
    LEAST_SIDE = 9, /* awkward sizes */
    USUAL_SIDE = 1024,
    PROGRAM_STEPS = 50 /* a sample's */
};

/* Warm-ups of a device in seconds: of one that was idle, and of one that has just worked. */
static const double warm_first = 0.1, warm_again = 0.02;

struct row {
    const struct options *options;
    struct qp_variant variant;
    struct qp_recipe recipe; /* recipe of the variant's program */
    struct tune_run run;     /* run of that program, if the variant has one */
    struct command *command;
    char device[CMD_DEVICE];
    struct qp_problem problem[MOST_PROBLEMS], *own; /* awkward ones, then the own */
    int problems, steps;                            /* a sample's */
    struct qp_space space;
    struct qp_earlier_runs *earlier; /* runs of each valid configuration */
    double *compiled; /* seconds of each ahead of its run, in memory that processes share */
    bool is_warm, is_lost;
};

/* ---- The space ---- */

/* Lines of the choices that the variant has, by the names of options: the first value is what it
 * does by itself, or 0. */
static enum qp_status put_space(const struct row *row, FILE *out)
{
    const struct qp_recipe *recipe = row->variant.recipe;
    const int rows = row->own->height, usual = qp_recipe_block(recipe, rows);
    const bool draws = row->variant.backend == QP_GL && recipe->engine == NULL;
    if (row->run.program != NULL)
        return tune_program_put_space(row->run.program, out);
    if (qp_recipe_takes_blocks(recipe))
        fprintf(out, "\ntune block = %d", usual);
    for (int k = 0, one = 1; qp_recipe_takes_blocks(recipe) && one > 0; k++) {
        one = sweep_block(recipe, k, rows);
        if (one > 0 && one != usual)
            fprintf(out, " %d", one);
    }
    if (recipe->engine == &qp_engine_parts)
        fputs("\ntune depth = 0 1 2 4 8 16", out);
    for (int k = 0; k < 8 && qp_parts_are_split(recipe) && rows >= 8; k++)
        fprintf(out, "%s %d", k == 0 ? "\ntune split =" : "", k * rows / 8);
    for (int k = 0; draws && recipe->draw[0].compute != NULL && qp_group_at(k) != NULL; k++)
        fprintf(out, "%s %dx%d", k == 0 ? "\ntune group = own" : "", qp_group_at(k)->x,
                qp_group_at(k)->y);
    for (int k = 0; k < QP_PINGPONG_STYLES && draws; k++)
        fprintf(out, "%s %s", k == 0 ? "\ntune pingpong =" : "",
                qp_pingpong_name((enum qp_pingpong_style)k));
    for (int k = 0; k < QP_TEXTURE_TARGETS && draws; k++)
        fprintf(out, "%s %s", k == 0 ? "\ntune target =" : "",
                qp_target_name((enum qp_texture_target)k));
    if (ftell(out) == 0)
        return qp_fail(QP_BAD_USE, "%s has one configuration, and nothing to choose",
                       row->variant.name);
    fputc('\n', out);
    return QP_OK;
}

/* ---- Configurations ---- */

/* A walk of `steps` steps by a configuration. */
static struct qp_walk_desc choose(const struct row *row, int configuration, int steps)
{
    char text[QP_SPACE_TEXT];
    struct qp_style style = {.block = 0};
    style_read(qp_space_text(&row->space, configuration, text), row->own->height, &style);
    return (struct qp_walk_desc){.iterations = steps,
                                 .pingpong = style.pingpong,
                                 .target = style.target,
                                 .group_x = style.group_x,
                                 .group_y = style.group_y,
                                 .block = style.block,
                                 .parts = style.parts,
                                 .interrupt = &cmd_interrupted};
}

/* Walks once: on the variant's own problem for a sample, on the others to judge. The usual
 * configuration must be possible here. After a kernel's invalid access CUDA takes no more work in
 * this process. */
static enum qp_status walk(struct row *row, struct qp_problem *problem, struct qp_tried *tried)
{
    const bool is_own = problem == row->own;
    const int *steps = row->own->op->runs->steps;
    struct qp_earlier_runs none = {.runs = 0},
                           *own = &row->earlier[qp_space_find(&row->space, tried->configuration)];
    struct qp_result result = {.verdict = QP_NO_VERDICT};
    struct qp_cuda *cuda = NULL;
    while (steps[1] > 0)
        steps++;
    struct qp_walk_desc desc = choose(row, tried->configuration, is_own ? row->steps : *steps);
    desc.timed = is_own;
    if (is_own &&
        (row->command->context == NULL || !qp_context_device(row->command->context)->software))
        desc.warm_seconds = row->is_warm ? warm_again : warm_first;
    row->is_warm = row->is_warm || is_own;
    const enum qp_status status = qp_timed_walk(row->command->context, &row->variant, problem,
                                                &desc, is_own ? own : &none, &result);
    const bool passes = result.verdict == QP_PASS || result.verdict == QP_BOUND,
               skips = result.verdict == QP_SKIP;
    if (status == QP_OK && passes && is_own)
        tried->samples[tried->count++] = result.run_seconds / row->steps;
    if (status != QP_OK || passes)
        return status;
    if (qp_is_interrupted(&cmd_interrupted))
        return qp_watch_fail();
    if (skips && !is_own)
        return QP_OK; /* others may be possible */
    if (skips && tried->configuration == 0)
        return qp_fail(QP_UNSUPPORTED, "%s: %s", row->variant.name, result.reason);
    row->is_lost = result.cause == QP_DEVICE && row->variant.backend == QP_CUDA &&
                   qp_cuda_open(-1, &cuda) != QP_OK;
    qp_cuda_close(&cuda);
    tried->end = skips                                          ? QP_TRIED_CONSTRAINTS
                 : row->is_lost || result.cause == QP_BAD_INPUT ? QP_TRIED_RUNTIME
                                                                : QP_TRIED_CORRECTNESS;
    snprintf(tried->why, sizeof tried->why, "%d x %d: %.200s", problem->width, problem->height,
             result.reason);
    return QP_OK;
}

/* Makes the program of a configuration, if it has one, and walks all awkward sizes before the first
 * sample. */
static enum qp_status attempt(void *user, struct qp_tried *tried)
{
    struct row *row = user;
    struct tune_run *run = &row->run;
    const double begin = qp_clock();
    const bool is_first = tried->count == 0;
    enum qp_status status = QP_OK;
    if (row->is_lost)
        return qp_fail(QP_DEVICE, "a kernel's invalid access has ended CUDA for this process; with "
                                  "-o the same command goes on after that kernel");
    if (run->program != NULL && (is_first || run->configuration != tried->configuration)) {
        qp_build_forget(&run->build);
        run->configuration = tried->configuration;
        status = tune_program_make(run->program, &row->space, run->configuration, &run->build);
    }
    if (status == QP_BAD_INPUT) {
        tried->end = QP_TRIED_COMPILE;
        snprintf(tried->why, sizeof tried->why, "%s", qp_error());
        status = QP_OK;
    }
    for (struct qp_problem *problem = is_first ? row->problem : row->own;
         problem <= row->own && status == QP_OK && tried->end == QP_TRIED_CORRECT; problem++)
        status = walk(row, problem, tried);
    if (is_first) {
        tried->times[QP_TRIED_COMPILING] =
            run->build.seconds + row->compiled[qp_space_find(&row->space, tried->configuration)];
        tried->times[QP_TRIED_JUDGING] = qp_clock() - begin - run->build.seconds;
    }
    return status;
}

void *tune_share(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        qp_fail(QP_NO_MEMORY, "no memory for a space");
    return memory != MAP_FAILED ? memory : NULL;
}

void tune_on_all_cores(void (*make_one)(void *user, int configuration), void *user,
                       const int *configurations, int count)
{
    const int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    int running = 0;
    signal(SIGCHLD, SIG_DFL);
    fflush(NULL);
    for (int k = 0; k < count && !qp_watch_wants_end(); k++) {
        if (running == cores)
            running -= wait(NULL) > 0;
        progress_say("compiling program %d of %d", k + 1, count);
        const pid_t child = fork();
        if (child == 0) {
            make_one(user, configurations[k]);
            _exit(0);
        }
        running += child > 0;
    }
    while (wait(NULL) > 0)
        continue;
}

static void make_ahead(void *user, int configuration)
{
    const struct row *row = user;
    struct qp_build made;
    tune_program_make(row->run.program, &row->space, configuration, &made);
    row->compiled[qp_space_find(&row->space, configuration)] = made.seconds;
}

static void ahead(void *user, const int *configurations, int count)
{
    tune_on_all_cores(make_ahead, user, configurations, count);
}

/* ---- The winner ---- */

/* True if a configuration gives the usual one's numbers bit for bit, each time. */
static bool keeps_bits(const struct row *row, int configuration)
{
    struct qp_result of[2] = {{.verdict = QP_NO_VERDICT}, {.verdict = QP_NO_VERDICT}};
    bool same = !qp_races(&row->variant, row->own) && row->variant.backend != QP_MPI;
    for (int k = 0; k < 2 && same; k++) {
        struct qp_walk_desc desc = choose(row, k * configuration, row->steps);
        desc.unchecked = desc.keep_solution = true;
        same = qp_walk(row->command->context, &row->variant, row->own, &desc, &of[k]) == QP_OK &&
               of[k].verdict == QP_PASS;
    }
    const struct qp_matrix *x = &of[0].solution, *y = &of[1].solution;
    same = same && memcmp(qp_matrix_values(x), qp_matrix_values(y),
                          qp_value_bytes(x->precision) * (size_t)x->width * (size_t)x->height) == 0;
    qp_matrix_destroy(&of[0].solution);
    qp_matrix_destroy(&of[1].solution);
    return same;
}

/* Keeps the fastest for other commands, which never take other numbers. */
static void won(void *user, int configuration, FILE *table)
{
    const struct row *row = user;
    char text[QP_SPACE_TEXT], values[QP_WINNER_LETTERS];
    snprintf(values, sizeof values, "size=%dx%d %.400s", row->own->width, row->own->height,
             qp_space_text(&row->space, configuration, text));
    if (!keeps_bits(row, configuration))
        fputs("it is not kept, for its numbers are not the default's bit for bit\n", table);
    else if (qp_winner_write(row->variant.name, row->device, values) != QP_OK)
        sentence_say("it is not kept in the user's cache: %s", qp_error());
}

/* ---- The variant ---- */

/* Problems of all awkward sizes that the operation has, with a program of its blocks' seams, and of
 * its own. */
static enum qp_status make_problems(struct row *row)
{
    const struct options *options = row->options;
    const struct qp_variant *variant = &row->variant;
    const struct qp_op *op = qp_op_find(variant->op);
    const char *kind = cmd_kind(options, &variant, 1);
    const struct qp_size asked = {options->width, options->height}, blocks = tune_program_seams(),
                         *size = row->run.program != NULL ? &blocks : op->runs->sizes,
                         *own = op->runs->bench_sizes;
    enum qp_status status = QP_OK;
    while (own[1].width > 0 && own[1].width <= USUAL_SIDE)
        own++;
    for (; status == QP_OK && row->own == NULL;
         size = size == &blocks ? op->runs->sizes : size + 1) {
        struct qp_problem *problem = &row->problem[row->problems];
        const bool is_own = size->width == 0 || row->problems == MOST_PROBLEMS - 1;
        if (is_own)
            size = asked.width > 0 ? &asked : own;
        else if (size->width < LEAST_SIDE || size->height < LEAST_SIDE)
            continue;
        status = cmd_problem(options, op->name, kind, size->width, size->height,
                             qp_variant_systems(variant), problem);
        row->problems += status == QP_OK;
        row->own = is_own ? problem : NULL;
        status = status == QP_BAD_USE && !is_own ? QP_OK : status;
    }
    return status;
}

static enum qp_status prepare(struct row *row, char **space)
{
    const struct qp_variant *variant = &row->variant;
    const struct qp_runs *runs = qp_op_find(variant->op)->runs;
    size_t size = 0;
    char kind[32], number[64];
    enum qp_status status = make_problems(row);
    FILE *out = status == QP_OK ? open_memstream(space, &size) : NULL;
    if (out != NULL) {
        status = put_space(row, out);
        fclose(out);
    } else if (status == QP_OK) {
        status = qp_fail(QP_NO_MEMORY, "no memory for the space of %s", variant->name);
    }
    if (status == QP_OK)
        status = qp_space_read(*space, &row->space);
    if (status != QP_OK || row->options->list)
        return status;
    status = command_open_for(row->command, variant);
    if (status != QP_OK)
        return status;
    style_device(row->command->context, variant, row->device);
    if (variant->backend == QP_CUDA && runs->gpu_steps != NULL)
        row->steps = runs->gpu_steps(variant->recipe);
    if (row->steps == 0)
        row->steps = runs->bench_steps(row->own);
    qp_problem_start_at_random(row->own, !qp_races(variant, row->own));
    if (row->run.program != NULL) { /* in place of the variant's kernel */
        row->recipe = *variant->recipe;
        row->recipe.kernel = &row->run.program->kernel;
        row->recipe.blocks = NULL;
        row->recipe.own = &row->run;
        row->recipe.tolerance = row->run.program->tolerance;
        row->variant.recipe = &row->recipe;
        row->steps = PROGRAM_STEPS;
        status = qp_nvrtc_kind(kind, number);
    }
    row->earlier = qp_alloc_zero((size_t)row->space.count, sizeof *row->earlier, "earlier runs");
    row->compiled = tune_share((size_t)row->space.count * sizeof *row->compiled);
    return row->earlier != NULL && row->compiled != NULL ? status : QP_NO_MEMORY;
}

enum qp_status tune_variant(struct command *command)
{
    const struct options *options = command->options;
    const struct qp_variant *variant = qp_variant_find(options->words[0]);
    char *space = NULL, name[128];
    if (variant == NULL)
        return cmd_unknown_variant(options->words[0]);
    if (options->machine != NULL)
        return qp_fail(QP_BAD_USE, "--target is of a kernel file, and not of %s", variant->name);
    struct row row = {.options = options, .command = command, .variant = *variant};
    row.run = (struct tune_run){.program = tune_program_find(variant->name), .space = &row.space};
    const bool is_program = row.run.program != NULL;
    enum qp_status status = prepare(&row, &space);
    progress_end();
    if (status == QP_OK) {
        snprintf(name, sizeof name, "%s, %d x %d", variant->name, row.own->width, row.own->height);
        status = tune_search(command, &(struct tune_kernel){.name = name,
                                                            .device = row.device,
                                                            .space = space + strspn(space, "\n"),
                                                            .attempt = attempt,
                                                            .ahead = is_program ? ahead : NULL,
                                                            .won = is_program ? NULL : won,
                                                            .user = &row});
    }
    for (int k = 0; k < row.problems; k++)
        qp_problem_destroy(&row.problem[k]);
    qp_build_forget(&row.run.build);
    free(row.earlier);
    if (row.compiled != NULL)
        munmap(row.compiled, (size_t)row.space.count * sizeof *row.compiled);
    qp_space_destroy(&row.space);
    free(space);
    return status;
}
