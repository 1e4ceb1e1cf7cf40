/* SPDX-License-Identifier: MIT */
/* Configurations of rows: what --block, --group, --pingpong, --target, --depth and --split choose, or the constants of a
 * program that generalises the row. They are judged and timed as `check` and `bench` do it. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/status.h"
#include "base/watch.h"
#include "cmd/output/progress.h"
#include "cmd/sweep.h"
#include "cmd/tune/live.h"
#include "cmd/tune/program.h"
#include "cuda/device.h"
#include "engines/engines.h"
#include "engines/parts.h"
#include "gl/groups.h"
#include "ops/table.h"
#include "plan/problem.h"
#include "walk/timed_walk.h"

enum {
    MOST_PROBLEMS = 16,
    LEAST_SIDE = 9, /* of awkward sizes */
    USUAL_SIDE = 1024,
    PROGRAM_STEPS = 50, /* of a sample */
    SPARE = 3
};

/* Warm-ups of a device in seconds: of one that was idle, and of one that has just worked. */
static const double warm_first = 0.1, warm_again = 0.02;

struct row {
    const struct options *options;
    struct qp_variant variant;
    struct qp_recipe recipe; /* of a program, */
    struct tune_run run;     /* if the row has one */
    struct qp_context *context;
    struct qp_problem problem[MOST_PROBLEMS], *own; /* awkward ones, then the own */
    int problems, steps;                            /* of a sample */
    struct qp_space space;
    struct qp_earlier_runs *earlier; /* of each valid configuration */
    double spare[SPARE];             /* samples of the run's configuration, the next one last */
    int spares;
    bool is_warm, is_lost;
};

/* ---- The space ---- */

static void put_blocks(const struct qp_recipe *recipe, int rows, FILE *out)
{
    const int usual = qp_recipe_block(recipe, rows), *listed = recipe->blocks->listed;
    fprintf(out, "tune block = %d", usual);
    for (int k = 0, one = 1; one > 0; k++) {
        one = listed != NULL ? listed[k] : sweep_block(k, rows);
        if (one > 0 && one != usual)
            fprintf(out, " %d", one);
    }
    fputc('\n', out);
}

/* `choose` reads these by their places. */
static void put_draws(const struct qp_recipe *recipe, FILE *out)
{
    if (recipe->draw[0].compute != NULL)
        fputs("tune group = own", out);
    for (int k = 0; recipe->draw[0].compute != NULL && qp_group_at(k) != NULL; k++)
        fprintf(out, " %dx%d", qp_group_at(k)->x, qp_group_at(k)->y);
    fputs("\ntune pingpong =", out);
    for (int k = 0; k < QP_PINGPONG_STYLES; k++)
        fprintf(out, " %s", qp_pingpong_name((enum qp_pingpong_style)k));
    fputs("\ntune target =", out);
    for (int k = 0; k < QP_TEXTURE_TARGETS; k++)
        fprintf(out, " %s", qp_target_name((enum qp_texture_target)k));
    fputc('\n', out);
}

/* Steps between exchanges, and eighths of the rows; 0 is the row's own choice. */
static void put_parts(const struct qp_recipe *recipe, int rows, FILE *out)
{
    fputs("tune depth = 0 1 2 4 8 16\n", out);
    if (qp_parts_are_split(recipe) && rows >= 8)
        fprintf(out, "tune split = 0 %d %d %d %d %d %d %d\n", rows / 8, rows / 4, 3 * rows / 8,
                rows / 2, 5 * rows / 8, 3 * rows / 4, 7 * rows / 8);
}

static enum qp_status put_space(const struct row *row, FILE *out)
{
    const struct qp_recipe *recipe = row->variant.recipe;
    if (row->run.program != NULL)
        return tune_program_put_space(row->run.program, out);
    if (qp_recipe_takes_blocks(recipe))
        put_blocks(recipe, row->own->height, out);
    if (recipe->engine == &qp_engine_parts)
        put_parts(recipe, row->own->height, out);
    else if (row->variant.backend == QP_GL && recipe->engine == NULL)
        put_draws(recipe, out);
    return ftell(out) > 0 ? QP_OK
                          : qp_fail(QP_BAD_USE, "%s has one configuration, and nothing to choose",
                                    row->variant.name);
}

/* ---- Configurations ---- */

/* A walk of so many steps by a configuration. */
static struct qp_walk_desc choose(const struct row *row, int configuration, int steps)
{
    struct qp_walk_desc desc = {.iterations = steps, .interrupt = &cmd_interrupted};
    for (int k = 0; k < row->space.parameters && row->run.program == NULL; k++) {
        const struct qp_space_parameter *p = &row->space.parameter[k];
        const int place = qp_space_digit(&row->space, configuration, k);
        const struct qp_group *group = place > 0 ? qp_group_at(place - 1) : NULL;
        int *const number = p->name[0] == 'b'   ? &desc.block
                            : p->name[0] == 'd' ? &desc.parts.depth
                            : p->name[0] == 's' ? &desc.parts.split
                                                : NULL;
        if (number != NULL)
            *number = (int)p->number[place];
        else if (p->name[0] == 'p')
            desc.pingpong = (enum qp_pingpong_style)place;
        else if (p->name[0] == 't')
            desc.target = (enum qp_texture_target)place;
        else if (group != NULL)
            desc.group_x = group->x, desc.group_y = group->y;
    }
    return desc;
}

/* True after a kernel's invalid access: CUDA takes no more work in this process. */
static bool has_lost_cuda(const struct row *row)
{
    struct qp_cuda *cuda = NULL;
    const bool lost = row->variant.backend == QP_CUDA && qp_cuda_open(-1, &cuda) != QP_OK;
    qp_cuda_close(&cuda);
    return lost;
}

/* One walk. The usual configuration must be possible here. */
static enum qp_status walk(struct row *row, struct qp_problem *problem,
                           const struct qp_walk_desc *desc, struct qp_earlier_runs *earlier,
                           struct qp_tried *tried, struct qp_result *result)
{
    const enum qp_status status =
        qp_timed_walk(row->context, &row->variant, problem, desc, earlier, result);
    const bool skips = result->verdict == QP_SKIP;
    if (status != QP_OK || result->verdict == QP_PASS || result->verdict == QP_BOUND)
        return status;
    if (qp_is_interrupted(&cmd_interrupted))
        return qp_watch_fail();
    if (skips && problem != row->own)
        return QP_OK; /* others may be possible */
    if (skips && tried->configuration == 0)
        return qp_fail(QP_UNSUPPORTED, "%s: %s", row->variant.name, result->reason);
    row->is_lost = result->cause == QP_DEVICE && has_lost_cuda(row);
    tried->end = skips                                           ? QP_TRIED_CONSTRAINTS
                 : row->is_lost || result->cause == QP_BAD_INPUT ? QP_TRIED_RUNTIME
                                                                 : QP_TRIED_CORRECTNESS;
    snprintf(tried->why, sizeof tried->why, "%d x %d: %.200s", problem->width, problem->height,
             result->reason);
    return QP_OK;
}

/* Makes the program of a configuration, if it has one, unless it is there. */
static enum qp_status make(struct row *row, struct qp_tried *tried)
{
    struct tune_run *run = &row->run;
    if (run->configuration == tried->configuration && tried->count > 0)
        return QP_OK;
    qp_build_forget(&run->build);
    run->configuration = tried->configuration;
    row->spares = 0;
    const enum qp_status status =
        run->program != NULL
            ? tune_program_make(run->program, &row->space, run->configuration, &run->build)
            : QP_OK;
    if (status != QP_BAD_INPUT)
        return status;
    tried->end = QP_TRIED_COMPILE;
    snprintf(tried->why, sizeof tried->why, "%s", qp_error());
    return QP_OK;
}

/* Walks all awkward sizes. */
static enum qp_status judge(struct row *row, struct qp_tried *tried)
{
    const int *steps = row->own->op->runs->steps;
    enum qp_status status = QP_OK;
    while (steps[1] > 0)
        steps++;
    const struct qp_walk_desc desc = choose(row, tried->configuration, *steps);
    for (struct qp_problem *problem = row->problem;
         problem != row->own && status == QP_OK && tried->end == QP_TRIED_CORRECT; problem++) {
        struct qp_earlier_runs earlier = {.runs = 0};
        struct qp_result result;
        status = walk(row, problem, &desc, &earlier, tried, &result);
    }
    return status;
}

/* Walks the own size; the first walk of a program has three samples. */
static enum qp_status sample(struct row *row, struct qp_tried *tried)
{
    const struct tune_run *run = &row->run;
    const int count = run->program != NULL && tried->count == 0 ? SPARE : 1;
    struct qp_walk_desc desc = choose(row, tried->configuration, count * row->steps);
    struct qp_result result = {.run_seconds = 0.0};
    desc.timed = true;
    if (row->context == NULL || !qp_context_device(row->context)->software)
        desc.warm_seconds = row->is_warm ? warm_again : warm_first;
    row->is_warm = true;
    const enum qp_status status =
        walk(row, row->own, &desc, &row->earlier[qp_space_find(&row->space, tried->configuration)],
             tried, &result);
    row->spares = status == QP_OK && tried->end == QP_TRIED_CORRECT ? count : 0;
    for (int k = 0; k < row->spares; k++)
        row->spare[count - 1 - k] =
            (run->program != NULL ? run->clock[k + 1] - run->clock[k] : result.run_seconds) /
            row->steps;
    return status;
}

static enum qp_status attempt(void *user, struct qp_tried *tried)
{
    struct row *row = user;
    const double begin = qp_clock();
    if (row->is_lost)
        return qp_fail(QP_DEVICE, "a kernel's invalid access has ended CUDA for this process; with "
                                  "-o the same command goes on after that kernel");
    enum qp_status status = make(row, tried);
    if (status == QP_OK && tried->count == 0 && tried->end == QP_TRIED_CORRECT)
        status = judge(row, tried);
    if (status == QP_OK && row->spares == 0 && tried->end == QP_TRIED_CORRECT)
        status = sample(row, tried);
    if (tried->count == 0) {
        tried->times[QP_TRIED_COMPILING] = row->run.build.seconds;
        tried->times[QP_TRIED_JUDGING] = qp_clock() - begin - row->run.build.seconds;
    }
    if (status == QP_OK && row->spares > 0)
        tried->samples[tried->count++] = row->spare[--row->spares];
    return status;
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
}

static void ahead(void *user, const int *configurations, int count)
{
    tune_on_all_cores(make_ahead, user, configurations, count);
}

/* ---- The row ---- */

/* Problems of all awkward sizes that the operation has, and of its own. */
static enum qp_status make_problems(struct row *row)
{
    const struct options *options = row->options;
    const struct qp_op *op = qp_op_find(row->variant.op);
    const struct qp_variant *variant = &row->variant;
    const struct qp_size *sizes = op->runs->sizes, *bench = op->runs->bench_sizes;
    enum qp_status status = QP_OK;
    while (bench[1].width > 0 && bench[1].width <= USUAL_SIDE)
        bench++;
    while (status == QP_OK && row->own == NULL) {
        const bool is_own = sizes->width == 0 || row->problems == MOST_PROBLEMS - 1;
        const struct qp_size size = !is_own ? *sizes++
                                    : options->width > 0
                                        ? (struct qp_size){options->width, options->height}
                                        : *bench;
        struct qp_problem *problem = &row->problem[row->problems];
        if (!is_own && (size.width < LEAST_SIDE || size.height < LEAST_SIDE))
            continue;
        status = cmd_problem(options, op->name, cmd_kind(options, &variant, 1), size.width,
                             size.height, qp_variant_systems(variant), problem);
        row->problems += status == QP_OK;
        row->own = is_own ? problem : NULL;
        status = status == QP_BAD_USE && !is_own ? QP_OK : status;
    }
    return status;
}

/* Replaces the row's kernel by its program's. Errors: QP_UNSUPPORTED without NVRTC or a device. */
static enum qp_status take_program(struct row *row)
{
    char kind[32], device[64];
    row->recipe = *row->variant.recipe;
    row->recipe.kernel = &row->run.program->kernel;
    row->recipe.blocks = NULL;
    row->recipe.own = &row->run;
    row->recipe.tolerance = row->run.program->tolerance;
    row->variant.recipe = &row->recipe;
    row->steps = PROGRAM_STEPS;
    return qp_cubin_kind(kind, device);
}

static enum qp_status prepare(struct row *row, char **space, char device[CMD_DEVICE])
{
    const struct qp_record record = {.variant = &row->variant};
    const struct qp_runs *runs = qp_op_find(row->variant.op)->runs;
    size_t size = 0;
    char why[512] = "";
    enum qp_status status = make_problems(row);
    FILE *out = status == QP_OK ? open_memstream(space, &size) : NULL;
    if (out != NULL) {
        status = put_space(row, out);
        fclose(out);
    }
    if (status == QP_OK)
        status = qp_space_read(*space, &row->space);
    if (status != QP_OK || row->options->list)
        return status;
    status = cmd_open(row->options, &record.variant, 1, &row->context, why, sizeof why);
    if (status == QP_OK && row->context == NULL && qp_variant_draws(&row->variant))
        status = qp_fail(QP_NO_DEVICE, "%s", why);
    if (status != QP_OK)
        return status;
    if (row->variant.backend == QP_CUDA && runs->gpu_steps != NULL)
        row->steps = runs->gpu_steps(row->variant.recipe);
    if (row->steps == 0)
        row->steps = runs->bench_steps(row->own);
    qp_problem_start_at_random(row->own, !qp_races(&row->variant, row->own));
    if (row->run.program != NULL && (status = take_program(row)) != QP_OK)
        return status;
    row->run.each = row->steps;
    cmd_device(row->context, &record, 1, device);
    row->earlier = qp_alloc_zero((size_t)row->space.count, sizeof *row->earlier, "earlier runs");
    return row->earlier != NULL ? QP_OK : QP_NO_MEMORY;
}

int tune_row(const struct options *options)
{
    const struct qp_variant *variant = qp_variant_find(options->words[0]);
    char *space = NULL, name[128], device[CMD_DEVICE] = "";
    if (variant == NULL || options->machine != NULL)
        return cmd_failed(variant == NULL
                              ? cmd_unknown_variant(options->words[0])
                              : qp_fail(QP_BAD_USE, "--target is of a kernel file, and not of %s",
                                        variant->name));
    struct row row = {.options = options, .variant = *variant};
    row.run = (struct tune_run){.program = tune_program_find(variant->name), .space = &row.space};
    const enum qp_status status = prepare(&row, &space, device);
    progress_end();
    if (device[0] == '\0')
        snprintf(device, sizeof device, "%ld processors", sysconf(_SC_NPROCESSORS_ONLN));
    if (status == QP_OK)
        snprintf(name, sizeof name, "%s, %d x %d", variant->name, row.own->width, row.own->height);
    const int code =
        status != QP_OK
            ? cmd_failed(status)
            : tune_search(options, &(struct tune_kernel){.name = name,
                                                         .device = device,
                                                         .space = space,
                                                         .attempt = attempt,
                                                         .ahead = row.run.program ? ahead : NULL,
                                                         .user = &row});
    for (int k = 0; k < row.problems; k++)
        qp_problem_destroy(&row.problem[k]);
    qp_build_forget(&row.run.build);
    qp_context_destroy(&row.context);
    qp_space_destroy(&row.space);
    free(row.earlier);
    free(space);
    return code;
}
