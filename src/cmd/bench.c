/* SPDX-License-Identifier: MIT */
#include "cmd/sweep.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/watch.h"
#include "cmd/opponents.h"
#include "cmd/output/progress.h"
#include "cmd/output/sentence.h"
#include "cmd/run/trial.h"
#include "cmd/style.h"
#include "gl/groups.h"
#include "ops/table.h"
#include "walk/samples.h"

/* Runs of a benchmark: a row once, or, to be compared, in each of the styles asked for. */
struct runs {
    int count;
    bool compares;
    const struct qp_variant *variant[MOST_ROWS];
    struct qp_style style[MOST_ROWS];
};

static bool add_run(struct runs *runs, const struct qp_variant *variant, struct qp_style style)
{
    if (runs->count == MOST_ROWS)
        return false;
    runs->variant[runs->count] = variant;
    runs->style[runs->count++] = style;
    return true;
}

static int count_groups(const struct qp_variant *variant)
{
    int count = 0;
    while (variant->recipe->draw[0].compute != NULL && qp_group_at(count) != NULL)
        count++;
    return count > 0 ? count : 1;
}

/* The largest matrix that will be asked for. */
static int most_rows(const struct options *options, const struct qp_variant *variant)
{
    const struct qp_size *size = qp_op_find(variant->op)->runs->bench_sizes;
    while (size[1].height > 0)
        size++;
    return options->width > 0 ? options->height : size->height;
}

static int count_blocks(const struct options *options, const struct qp_variant *variant)
{
    const int most = most_rows(options, variant);
    int count = 0;
    while (qp_recipe_takes_blocks(variant->recipe) && sweep_block(variant->recipe, count, most) > 0)
        count++;
    return count > 0 ? count : 1;
}

/* Style number k of those that are asked for. */
static struct qp_style style_of(const struct options *options, const struct qp_variant *variant,
                                int k)
{
    struct qp_style style = style_take(options, NULL, variant, 0, NULL);
    if (options->all_blocks && qp_recipe_takes_blocks(variant->recipe)) {
        const int count = count_blocks(options, variant);
        style.block = sweep_block(variant->recipe, k % count, most_rows(options, variant));
        k /= count;
    }
    if (options->all_pingpongs) {
        style.pingpong = (enum qp_pingpong_style)(k % QP_PINGPONG_STYLES);
        k /= QP_PINGPONG_STYLES;
    }
    if (options->all_targets) {
        style.target = (enum qp_texture_target)(k % QP_TEXTURE_TARGETS);
        k /= QP_TEXTURE_TARGETS;
    }
    if (options->all_groups) {
        style.group_x = qp_group_at(k)->x;
        style.group_y = qp_group_at(k)->y;
    }
    return style;
}

/* False, with a message, if there are too many. */
static bool list_runs(const struct options *options, const struct qp_variant *const rows[],
                      int count, struct runs *runs)
{
    bool fits = true;
    *runs = (struct runs){.compares = options->all_pingpongs || options->all_targets ||
                                      options->all_groups || options->all_blocks};
    for (int i = 0; i < count; i++) {
        int ways = options->all_blocks ? count_blocks(options, rows[i]) : 1;
        if (rows[i]->backend == QP_GL)
            ways *= (options->all_pingpongs ? QP_PINGPONG_STYLES : 1) *
                    (options->all_targets ? QP_TEXTURE_TARGETS : 1) *
                    (options->all_groups ? count_groups(rows[i]) : 1);
        for (int k = 0; k < ways; k++)
            fits = add_run(runs, rows[i], style_of(options, rows[i], k)) && fits;
    }
    if (!fits)
        sentence_say("these are more than %d rows to compare; name fewer variants", MOST_ROWS);
    return fits;
}

static void show_progress(void *user, int done, int all)
{
    const struct qp_problem *problem = user;
    progress_say("bench of %s, %d x %d: walk %d of %d", problem->op->name, problem->width,
                 problem->height, done < all ? done + 1 : all, all);
}

/* The kind asked for, or the benchmark's; NULL, the default, where that does not come in this
 * width. */
static const char *kind_of(const struct options *options, const struct bench_rows *rows, int width)
{
    const struct qp_kind *kind = qp_op_find(rows->variant[0]->op)->kinds;
    while (kind->name != NULL && !kind->benched)
        kind++;
    if (options->problem != NULL || kind->name == NULL)
        return cmd_kind(options, rows->variant, rows->count);
    return kind->width == 0 || kind->width == width ? kind->name : NULL;
}

/* Records every row as skipped: this operation cannot take the size asked for. */
static void skip_all(const struct options *options, const struct bench_rows *rows,
                     struct qp_record *records)
{
    for (int i = 0; i < rows->count; i++) {
        records[i] = cmd_skipped(rows->variant[i], options);
        records[i].style = rows->style[i];
        bench_print_record(options->table, &records[i], rows);
    }
}

/* All rows at one size; their records go to `records`. */
static enum qp_status bench_size(const struct options *options, struct qp_context *context,
                                 const char *why, const struct bench_rows *rows, int width,
                                 int height, struct qp_record *records)
{
    struct cmd_problems problems;
    enum qp_status status =
        cmd_problems_create(options, kind_of(options, rows, width), width, height, true,
                            rows->variant, rows->count, &problems);
    if (status != QP_OK)
        return status;
    struct qp_bench_desc desc = {.iterations = options->iterations,
                                 .repeats = options->repeats,
                                 .styles = rows->style,
                                 .random_start = true,
                                 .no_device = why,
                                 .interrupt = &cmd_interrupted,
                                 .on_walk = show_progress,
                                 .user = problems.of[0],
                                 .share = rows->share};
    show_progress(problems.of[0], 0,
                  rows->count * (options->repeats > 0 ? options->repeats : QP_LEAST_SAMPLES));
    status = qp_bench(context, rows->variant, problems.of, rows->count, &desc, records);
    progress_end();
    cmd_problems_destroy(&problems);
    return status;
}

/* All rows at one size with each of the parameters, their records one after the other; as the tuner
 * found them, unless ways to run them are asked for. */
static enum qp_status bench_parameters(const struct options *options, struct qp_context *context,
                                       const char *why, const struct bench_rows *all, int width,
                                       int height, struct qp_record *records, int *done)
{
    static char tuned[MOST_ROWS][QP_WINNER_LETTERS];
    struct qp_style style[MOST_ROWS];
    const struct bench_rows own = {all->variant, style, all->count, all->compares, all->share},
                            *rows = all->compares ? all : &own;
    for (int i = 0; i < own.count; i++)
        style[i] = style_take(options, context, own.variant[i], height, tuned[i]);
    const struct qp_op *op = qp_op_find(rows->variant[0]->op);
    const char *kind = kind_of(options, rows, width);
    const int count = sweep_parameters(options, op, kind);
    struct options one = *options;
    for (int k = 0; k < count && !cmd_interrupted; k++) {
        struct qp_record *here = records + *done * rows->count;
        one.parameter = sweep_parameter(options, op, kind, k);
        enum qp_status status = bench_size(&one, context, why, rows, width, height, here);
        if (status != QP_OK && !(cmd_interrupted && qp_watch_is_sentence(qp_error())))
            return status;
        if (status != QP_OK || (cmd_interrupted && !cmd_any_ran(here, rows->count)))
            break;
        bench_print_head(options->table, here, rows);
        for (int i = 0; i < rows->count; i++)
            bench_print_record(options->table, &here[i], rows);
        for (int i = 0; i < rows->count; i++)
            bench_print_tuned(options->table, &here[i], tuned[i]);
        opponents_print(options->table, here, rows->count);
        ++*done;
    }
    return QP_OK;
}

/* Rows of one operation at all sizes, their records one size after the other; *done counts sizes,
 * or with several parameters those of each. */
static enum qp_status bench_operation(const struct options *options, struct qp_context *context,
                                      const char *why, const struct bench_rows *rows,
                                      struct qp_record *records, int *done)
{
    const struct qp_op *op = qp_op_find(rows->variant[0]->op);
    const struct qp_size *size = op->runs->bench_sizes;
    *done = 0;
    for (; size->width > 0 && !cmd_interrupted; size++) {
        int width = options->width > 0 ? options->width : size->width;
        int height = options->width > 0 ? options->height : size->height;
        enum qp_status status =
            bench_parameters(options, context, why, rows, width, height, records, done);
        if (status != QP_OK || options->width > 0)
            return status;
    }
    return QP_OK;
}

/* Selects the rows that take this kind of problem. */
static void take_kind(const struct bench_rows *all, int kind, struct runs *some)
{
    *some = (struct runs){.compares = all->compares};
    for (int i = 0; i < all->count; i++) {
        if (qp_recipe_takes_kind(all->variant[i]->recipe, kind))
            add_run(some, all->variant[i], all->style[i]);
    }
}

/* Rows of one operation, once, or for each kind of problem those that take it: *done more
 * records. */
static enum qp_status bench_kinds(const struct options *options, struct qp_context *context,
                                  const char *why, const struct bench_rows *rows,
                                  struct qp_record *records, int *done, int verdicts[QP_VERDICTS])
{
    const struct qp_op *op = qp_op_find(rows->variant[0]->op);
    enum qp_status status = QP_OK;
    struct options one = *options;
    struct runs some;
    for (int k = 0; k < sweep_kinds(options, op) && status == QP_OK && !cmd_interrupted; k++) {
        struct bench_rows part = *rows;
        int tables = 0;
        if (options->all_problems) {
            one.problem = op->kinds[k].name;
            take_kind(rows, k, &some);
            part = (struct bench_rows){some.variant, some.style, some.count, some.compares,
                                       rows->share};
        }
        if (part.count > 0)
            status = bench_operation(&one, context, why, &part, records + *done, &tables);
        if (status == QP_OK && tables > 0)
            cmd_count_rows(options, records + *done, tables, part.count, verdicts);
        *done += tables * part.count;
    }
    return status;
}

/* A row's share of two minutes, beside which compiling and checking take as long again. */
static double share_of(const struct options *options, const struct runs *runs)
{
    const double least = 0.25, most = 4.0; /* the first figure is to come soon */
    return fmin(fmax(120.0 / sweep_lines(options, runs->variant, runs->count), least), most);
}

/* Operations come one after the other. A size that one of them does not take skips its rows, if
 * others do. */
static enum qp_status bench_all(const struct options *options, struct qp_context *context,
                                const char *why, const struct runs *runs, struct qp_record *records,
                                int *done, int verdicts[QP_VERDICTS])
{
    enum qp_status status = QP_OK;
    int refused = 0;
    for (int begin = 0, same; begin < runs->count && status == QP_OK && !cmd_interrupted;
         begin += same) {
        same = cmd_same_operation(runs->variant + begin, runs->count - begin);
        const struct bench_rows part = {runs->variant + begin, runs->style + begin, same,
                                        runs->compares, share_of(options, runs)};
        status = bench_kinds(options, context, why, &part, records, done, verdicts);
        if (status == QP_BAD_USE) {
            refused += same;
            if (refused == runs->count)
                return status;
            skip_all(options, &part, records + *done);
            cmd_count_rows(options, records + *done, 1, same, verdicts);
            *done += same;
            status = QP_OK;
        }
    }
    return status;
}

/* Records of all these runs, at most: a refused operation has one of each row. */
static size_t most_records(const struct options *options, const struct runs *runs)
{
    size_t most = 0;
    for (int i = 0; i < runs->count; i++)
        most += 1 + (size_t)sweep_tables(options, qp_op_find(runs->variant[i]->op));
    return most;
}

static enum qp_status carry_out(struct options *options, struct command *command)
{
    const struct qp_variant *rows[MOST_ROWS];
    struct runs runs;
    if (options->paper != 0)
        return command_end(command, cmd_bench_paper(options));
    if (run_trial_is_asked(options))
        return cmd_bench_file(options, command);
    int count = cmd_select(options, rows);
    if (count < 0 || !list_runs(options, rows, count, &runs))
        return command_end(command, EXIT_USAGE);
    struct qp_record *records = calloc(most_records(options, &runs), sizeof *records);
    if (records == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for the records");
    cmd_catch_interrupt();
    enum qp_status status = command_open(command, options, rows, count);
    int done = 0, verdicts[QP_VERDICTS] = {0};
    if (status == QP_OK)
        status =
            bench_all(options, command->context, command->why, &runs, records, &done, verdicts);
    progress_end();
    if (status == QP_OK && !(cmd_interrupted && done == 0))
        status = cmd_write_records(options, command->context, records, done);
    if (cmd_interrupted && status == QP_OK)
        fprintf(options->table, "interrupted after %d of %d lines\n", done,
                sweep_lines(options, runs.variant, runs.count));
    if (status == QP_OK)
        command->code = cmd_count(options->table, verdicts);
    if (cmd_interrupted && command->code == EXIT_GOOD)
        command->code = EXIT_FAILED;
    free(records);
    return status;
}

int cmd_bench(int argc, char **argv)
{
    static const struct options_form form = {
        "bench", "[PATTERN...|FILE.frag...]",
        "Checks and times variants: all in turn, then again those that are noisy; medians and, as "
        "+-%, the width of the middle half of all runs. With "
        "--paper a paper's tables, ours beside its own figures; --size leaves out larger grids."};
    return command_run(argc, argv, &form, carry_out);
}
