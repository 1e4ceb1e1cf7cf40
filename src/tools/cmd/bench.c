/* SPDX-License-Identifier: MIT */
#include "tools/cmd/sweep.h"

#include <math.h>

#include "lab/ops/table.h"
#include "lab/walk/samples.h"
#include "toolkit/base/status.h"
#include "toolkit/gl/groups.h"
#include "tools/cmd/opponents.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/output/sentence.h"
#include "tools/cmd/run/trial.h"
#include "tools/cmd/style.h"

/* Runs of a benchmark: a variant once, or, to be compared, in each of the styles asked for. */
struct runs {
    int count;
    bool compares;
    const struct qp_variant *variant[MOST_VARIANTS];
    struct qp_style style[MOST_VARIANTS];
};

static bool add_run(struct runs *runs, const struct qp_variant *variant, struct qp_style style)
{
    if (runs->count == MOST_VARIANTS)
        return false;
    runs->variant[runs->count] = variant;
    runs->style[runs->count++] = style;
    return true;
}

/* The largest matrix that will be asked for. */
static int most_rows(const struct options *options, const struct qp_variant *variant)
{
    const struct qp_size *size = qp_op_find(variant->op)->runs->bench_sizes;
    while (size[1].height > 0)
        size++;
    return options->width > 0 ? options->height : size->height;
}

/* A variant in each of the styles that are asked for. False if there are too many. */
static bool add_runs(const struct options *options, const struct qp_variant *variant,
                     struct runs *runs)
{
    const struct qp_recipe *recipe = variant->recipe;
    const bool draws = variant->backend == QP_GL,
               grouped = options->all_groups && draws && recipe->draw[0].compute != NULL,
               blocked = options->all_blocks && qp_recipe_takes_blocks(recipe);
    const int targets = options->all_targets && draws ? QP_TEXTURE_TARGETS : 1,
              pingpongs = options->all_pingpongs && draws ? QP_PINGPONG_STYLES : 1,
              pairs = targets * pingpongs, rows = most_rows(options, variant);
    struct qp_style style = style_take(options, NULL, variant, 0, NULL);
    bool fits = true;
    for (int g = 0; g == 0 || (grouped && qp_group_at(g) != NULL); g++) {
        style.group_x = options->all_groups ? qp_group_at(g)->x : style.group_x;
        style.group_y = options->all_groups ? qp_group_at(g)->y : style.group_y;
        for (int k = 0; k < pairs; k++) {
            if (options->all_pingpongs)
                style.pingpong = (enum qp_pingpong_style)(k % pingpongs);
            if (options->all_targets)
                style.target = (enum qp_texture_target)(k / pingpongs);
            for (int b = 0; b == 0 || (blocked && sweep_block(recipe, b, rows) > 0); b++) {
                style.block = blocked ? sweep_block(recipe, b, rows) : style.block;
                fits = add_run(runs, variant, style) && fits;
            }
        }
    }
    return fits;
}

/* False, with a message, if there are too many. */
static bool list_runs(const struct options *options, const struct qp_variant *const variants[],
                      int count, struct runs *runs)
{
    bool fits = true;
    *runs = (struct runs){.compares = options_compare(options)};
    for (int i = 0; i < count; i++)
        fits = add_runs(options, variants[i], runs) && fits;
    if (!fits)
        sentence_say("these are more than %d variants to compare; name fewer", MOST_VARIANTS);
    return fits;
}

/* The kind asked for, or the benchmark's; NULL, the default, where that does not come in this
 * width. */
static const char *kind_of(const struct options *options, const struct bench_variants *variants,
                           int width)
{
    const struct qp_kind *kind = qp_op_find(variants->variant[0]->op)->kinds;
    while (kind->name != NULL && !kind->benched)
        kind++;
    if (options->problem != NULL || kind->name == NULL)
        return cmd_kind(options, variants->variant, variants->count);
    return kind->width == 0 || kind->width == width ? kind->name : NULL;
}

/* All variants on one problem: a table. */
static enum qp_status bench_table(struct command *command, const struct bench_variants *variants,
                                  const char *kind, int width, int height,
                                  char tuned[][QP_WINNER_LETTERS])
{
    const struct options *options = command->options;
    const int first = command->count;
    char what[96];
    struct cmd_problems problems;
    enum qp_status status = cmd_problems_create(options, kind, width, height, true,
                                                variants->variant, variants->count, &problems);
    if (status != QP_OK)
        return status;
    const struct qp_bench_desc desc = {.iterations = options->iterations,
                                       .repeats = options->repeats,
                                       .styles = variants->style,
                                       .random_start = true,
                                       .on_walk = command_show_walk,
                                       .user = what,
                                       .share = variants->share};
    const struct qp_problem *own = problems.of[0];
    snprintf(what, sizeof what, "bench of %s, %d x %d", own->op->name, own->width, own->height);
    command_show_walk(
        what, 0, variants->count * (options->repeats > 0 ? options->repeats : QP_LEAST_SAMPLES));
    status = command_bench(command, variants->variant, problems.of, variants->count, &desc);
    progress_end();
    cmd_problems_destroy(&problems);
    if (status != QP_OK || command->count == first)
        return status;
    struct qp_record *records = command->records + first;
    bench_print_table(options->table, records, variants);
    for (int i = 0; i < variants->count; i++)
        bench_print_tuned(options->table, &records[i], tuned[i]);
    opponents_print(options->table, records, variants->count);
    return QP_OK;
}

/* All variants at one size, with each of the parameters; as the tuner found them, unless ways to
 * run them are asked for. */
static enum qp_status bench_size(struct command *command, const struct bench_variants *all,
                                 int width, int height)
{
    static char tuned[MOST_VARIANTS][QP_WINNER_LETTERS];
    struct options *options = command->options;
    struct qp_style style[MOST_VARIANTS];
    struct bench_variants variants = *all;
    for (int i = 0; i < variants.count; i++)
        style[i] = style_take(options, command->context, variants.variant[i], height, tuned[i]);
    if (!variants.compares)
        variants.style = style;
    const struct qp_op *op = qp_op_find(variants.variant[0]->op);
    const char *kind = kind_of(options, &variants, width);
    enum qp_status status = QP_OK;
    for (int k = 0; k < sweep_parameters(options, op, kind) && status == QP_OK && !cmd_interrupted;
         k++) {
        options->parameter = sweep_parameter(options, op, kind, k);
        status = bench_table(command, &variants, kind, width, height, tuned);
    }
    return status;
}

/* Variants of one operation at all sizes, or at the one asked for. */
static enum qp_status bench_sizes(struct command *command, const struct bench_variants *variants)
{
    const struct options *options = command->options;
    const struct qp_size asked[] = {{options->width, options->height}, {0}},
                         *size = qp_op_find(variants->variant[0]->op)->runs->bench_sizes;
    enum qp_status status = QP_OK;
    for (size = options->width > 0 ? asked : size;
         size->width > 0 && status == QP_OK && !cmd_interrupted; size++)
        status = bench_size(command, variants, size->width, size->height);
    return status;
}

/* Selects the variants that take this kind of problem. */
static void take_kind(const struct bench_variants *all, int kind, struct runs *some)
{
    *some = (struct runs){.compares = all->compares};
    for (int i = 0; i < all->count; i++) {
        if (qp_recipe_takes_kind(all->variant[i]->recipe, kind))
            add_run(some, all->variant[i], all->style[i]);
    }
}

/* Variants of one operation, once, or for each kind of problem those that take it. */
static enum qp_status bench_kinds(struct command *command, const struct bench_variants *variants)
{
    struct options *options = command->options;
    const struct qp_op *op = qp_op_find(variants->variant[0]->op);
    enum qp_status status = QP_OK;
    struct runs some;
    for (int k = 0; k < sweep_kinds(options, op) && status == QP_OK && !cmd_interrupted; k++) {
        struct bench_variants part = *variants;
        const int first = command->count;
        if (options->all_problems) {
            options->problem = op->kinds[k].name;
            take_kind(variants, k, &some);
            part = (struct bench_variants){some.variant, some.style, some.count, some.compares,
                                           variants->share};
        }
        if (part.count > 0)
            status = bench_sizes(command, &part);
        if (status == QP_OK && part.count > 0)
            command_count(command, command->records + first, (command->count - first) / part.count,
                          part.count);
    }
    return status;
}

/* Adds every variant as skipped: this operation cannot take the size asked for. */
static enum qp_status skip_all(struct command *command, const struct bench_variants *variants)
{
    const int first = command->count;
    enum qp_status status = QP_OK;
    for (int i = 0; i < variants->count && status == QP_OK; i++) {
        struct qp_record record = cmd_skipped(variants->variant[i], command->options);
        record.style = variants->style[i];
        bench_print_record(command->options->table, &record, variants);
        status = command_add(command, &record);
    }
    command_count(command, command->records + first, 1, command->count - first);
    return status;
}

/* Operations come one after the other. A size that one of them does not take skips its variants, if
 * others do. */
static enum qp_status bench_all(struct command *command, const struct runs *runs, int lines)
{
    /* A variant's part of two minutes, beside which compiling and checking take as long again; the
     * first figure is to come soon. */
    const double share = fmin(fmax(120.0 / lines, 0.25), 4.0);
    enum qp_status status = QP_OK;
    int refused = 0;
    for (int begin = 0, same; begin < runs->count && status == QP_OK && !cmd_interrupted;
         begin += same) {
        same = cmd_same_operation(runs->variant + begin, runs->count - begin);
        const struct bench_variants part = {runs->variant + begin, runs->style + begin, same,
                                            runs->compares, share};
        status = bench_kinds(command, &part);
        refused += status == QP_BAD_USE ? same : 0;
        if (status == QP_BAD_USE && refused < runs->count)
            status = skip_all(command, &part);
    }
    return status;
}

enum qp_status cmd_bench(struct options *options, struct command *command)
{
    const struct qp_variant *variants[MOST_VARIANTS];
    struct runs runs;
    if (options->paper != 0)
        return cmd_bench_paper(command);
    if (run_trial_is_asked(options))
        return cmd_bench_file(command);
    const int count = cmd_select(options, variants);
    if (count < 0 || !list_runs(options, variants, count, &runs))
        return command_end(command, EXIT_USAGE);
    const int lines = sweep_lines(options, runs.variant, runs.count);
    cmd_catch_interrupt();
    enum qp_status status = command_open(command, variants, count);
    if (status == QP_OK)
        status = bench_all(command, &runs, lines);
    if (status == QP_OK)
        status = command_write(command);
    return command_finish(command, status, command->count, lines, "lines");
}
