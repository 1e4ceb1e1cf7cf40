/* SPDX-License-Identifier: MIT */
#include "tools/tune/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/engines/parts/parts.h"
#include "lab/ops/table.h"
#include "lab/plan/op.h"
#include "lab/plan/problem.h"
#include "toolkit/base/status.h"
#include "toolkit/base/watch.h"

enum {
    HEIGHTS = 6,
    DEFAULT_STEPS = 32,
    DEFAULT_REPEATS = 5,
    SIXTEENTHS = 16,
    SPLITS = 3,
    SWEEP = 12
};

/* Heights of the grids of one part, and the splits that show how both hinder each other, in
 * sixteenths of the rows. */
static const int height_of[HEIGHTS] = {1, 2, 4, 8, 12, 16};
static const int split_of[SPLITS] = {4, 8, 12};
static const int sweep_of[SWEEP] = {0, 1, 2, 3, 4, 6, 8, 10, 12, 13, 14, 16};

/* Runs to come. */
struct group {
    const struct qp_tuned_desc *desc;
    struct qp_problem problem[HEIGHTS]; /* the last is the whole grid */
    int count, number[QP_TUNE_RUNS];    /* numbers of the tuning's runs */
    int before, all;                    /* walks of earlier groups, of all */
};

static int share(const struct qp_tuned_desc *desc, int sixteenths)
{
    return (int)((long)desc->height * sixteenths / SIXTEENTHS);
}

static enum qp_status make_problems(struct group *group)
{
    const struct qp_tuned_desc *desc = group->desc;
    const struct qp_op *op = qp_op_find(desc->variant->op);
    const int first = qp_recipe_first_kind(desc->variant->recipe);
    enum qp_status status = QP_OK;
    for (int k = 0; k < HEIGHTS && status == QP_OK; k++) {
        const struct qp_problem_desc wanted = {.op = op->name,
                                               .kind = desc->kind != NULL ? desc->kind
                                                                          : op->kinds[first].name,
                                               .width = desc->width,
                                               .height = share(desc, height_of[k]),
                                               .seed = desc->seed};
        status = qp_problem_create(&wanted, &group->problem[k]);
    }
    return status;
}

/* Adds a run at this place of the list. */
static void add_run(const struct qp_tuned_desc *desc, struct qp_tuned *out, int place,
                    enum qp_tuned_form what, int split)
{
    memmove(&out->run[place + 1], &out->run[place],
            (size_t)(out->count++ - place) * sizeof *out->run);
    struct qp_tuned_split *run = &out->run[place];
    *run = (struct qp_tuned_split){.what = what, .rows = split, .measured = NAN, .predicted = NAN};
    run->record.style.parts = (struct qp_parts_desc){
        .depth = desc->depth, .split = split > 0 ? split : -1, .slow = desc->slow};
}

/* Runs of one part take turns in the list, each height after the other. */
static struct qp_problem *problem_of(struct group *group, const struct qp_tuned *tuning, int number)
{
    const bool one =
        tuning->run[number].what == QP_TUNE_LOWER || tuning->run[number].what == QP_TUNE_UPPER;
    return &group->problem[one ? number / 2 : HEIGHTS - 1];
}

static void count_walk(void *user, int done, int all)
{
    const struct group *group = user;
    (void)all;
    if (group->desc->on_walk != NULL)
        group->desc->on_walk(group->desc->user, group->before + done, group->all);
}

/* Rows as the grid was cut, and seconds of a step. */
static enum qp_status take(struct qp_tuned_split *run, const struct qp_problem *problem,
                           const struct qp_record *record)
{
    const int split = record->parts.split;
    run->record = *record;
    run->rows = run->what == QP_TUNE_LOWER || run->what == QP_TUNE_UPPER ? problem->height
                : split > 0                                              ? split
                                                                         : 0;
    run->measured = record->seconds / record->iterations;
    if (record->verdict == QP_PASS)
        return QP_OK;
    return qp_fail(record->verdict == QP_FAIL ? QP_DEVICE : QP_UNSUPPORTED, "%s: %s",
                   record->variant->name, record->reason);
}

/* All runs of the group in turn, then all again. */
static enum qp_status run_all(struct qp_context *context, struct group *group, struct qp_tuned *out)
{
    const struct qp_tuned_desc *desc = group->desc;
    const struct qp_variant *variants[QP_TUNE_RUNS];
    struct qp_problem *problems[QP_TUNE_RUNS];
    struct qp_style styles[QP_TUNE_RUNS];
    struct qp_record *records = qp_alloc_zero(QP_TUNE_RUNS, sizeof *records, "records of runs");
    const struct qp_bench_desc bench = {.iterations = desc->steps > 0 ? desc->steps : DEFAULT_STEPS,
                                        .repeats =
                                            desc->repeats > 0 ? desc->repeats : DEFAULT_REPEATS,
                                        .styles = styles,
                                        .no_device = desc->no_device,
                                        .interrupt = desc->interrupt,
                                        .on_walk = count_walk,
                                        .user = group};
    if (records == NULL)
        return QP_NO_MEMORY;
    for (int k = 0; k < group->count; k++) {
        variants[k] = desc->variant;
        problems[k] = problem_of(group, out, group->number[k]);
        styles[k] = out->run[group->number[k]].record.style;
    }
    enum qp_status status = qp_bench(context, variants, problems, group->count, &bench, records);
    for (int k = 0; k < group->count && status == QP_OK; k++)
        status = take(&out->run[group->number[k]], problems[k], &records[k]);
    free(records);
    if (status == QP_OK && desc->interrupt != NULL && *desc->interrupt != 0)
        status = qp_watch_fail();
    group->before += bench.repeats * group->count;
    return status;
}

/* Times of one kind. */
static int collect(const struct qp_tuned *tuning, enum qp_tuned_form what,
                   struct qp_sample *samples)
{
    int count = 0;
    for (int k = 0; k < tuning->count && count < QP_CURVE_SAMPLES; k++) {
        if (tuning->run[k].what == what)
            samples[count++] = (struct qp_sample){tuning->run[k].rows, tuning->run[k].measured};
    }
    return count;
}

static void fit(const struct qp_tuned_desc *desc, struct qp_tuned *out)
{
    struct qp_sample samples[QP_CURVE_SAMPLES];
    struct qp_model *model = &out->model;
    model->height = desc->height;
    for (int part = 0; part < 2; part++) {
        const int count = collect(out, part == 0 ? QP_TUNE_LOWER : QP_TUNE_UPPER, samples);
        qp_curve_fit(samples, count, &model->part[part]);
    }
    qp_model_fit_together(model, samples, collect(out, QP_TUNE_TOGETHER, samples));
}

static void predict(const struct qp_tuned_desc *desc, struct qp_tuned *out)
{
    const struct qp_model *model = &out->model;
    for (int k = 0; k < out->count; k++) {
        struct qp_tuned_split *run = &out->run[k];
        run->predicted = run->what == QP_TUNE_LOWER || run->what == QP_TUNE_UPPER
                             ? qp_curve_seconds(&model->part[run->what], run->rows)
                             : qp_model_seconds(model, run->rows);
    }
    out->learned = (struct qp_learned){
        .width = desc->width,
        .height = desc->height,
        .depth = out->run[out->best].record.parts.depth,
        .split = out->run[out->best].rows,
        .seconds = out->run[out->best].predicted,
        .alone = {qp_model_seconds(model, desc->height), qp_model_seconds(model, 0.0)}};
}

/* Times drift, so what the model is made from and the sweep take turns in one group. */
static void list_runs(struct group *group, struct qp_tuned *out)
{
    const struct qp_tuned_desc *desc = group->desc;
    for (int k = 0; k < HEIGHTS; k++) {
        add_run(desc, out, out->count, QP_TUNE_LOWER, share(desc, height_of[k]));
        add_run(desc, out, out->count, QP_TUNE_UPPER, 0);
    }
    for (int k = 0; k < SPLITS; k++)
        add_run(desc, out, out->count, QP_TUNE_TOGETHER, share(desc, split_of[k]));
    for (int k = 0; k < SWEEP; k++)
        add_run(desc, out, out->count, QP_TUNE_SWEEP, share(desc, sweep_of[k]));
    for (int k = 0; k < out->count; k++)
        group->number[k] = k;
    group->count = out->count;
}

static void find_fastest(struct qp_tuned *out)
{
    out->optimum = out->count - 1;
    for (int k = out->count - 1; out->run[k].what == QP_TUNE_SWEEP; k--) {
        if (out->run[k].measured < out->run[out->optimum].measured)
            out->optimum = k;
    }
}

/* The best split by the model: a run of the sweep, or one between them, which is timed in turn with
 * the sweep's fastest. */
static enum qp_status run_best(struct qp_context *context, struct group *group,
                               struct qp_tuned *out)
{
    const int best = qp_model_best(&out->model, 1);
    int place = out->count - SWEEP;
    find_fastest(out);
    while (out->run[place].rows < best)
        place++;
    out->best = place;
    if (out->run[place].rows == best)
        return QP_OK;
    add_run(group->desc, out, place, QP_TUNE_SWEEP, best);
    out->optimum += out->optimum >= place;
    group->count = 2;
    group->number[0] = place;
    group->number[1] = out->optimum;
    const enum qp_status status = run_all(context, group, out);
    find_fastest(out);
    return status;
}

static enum qp_status tune(struct qp_context *context, struct group *group, struct qp_tuned *out)
{
    const int repeats = group->desc->repeats > 0 ? group->desc->repeats : DEFAULT_REPEATS;
    enum qp_status status = make_problems(group);
    list_runs(group, out);
    group->all = repeats * (group->count + 2);
    if (status == QP_OK)
        status = run_all(context, group, out);
    if (status != QP_OK)
        return status;
    fit(group->desc, out);
    status = run_best(context, group, out);
    if (status == QP_OK)
        predict(group->desc, out);
    return status;
}

enum qp_status qp_tune(struct qp_context *context, const struct qp_tuned_desc *desc,
                       struct qp_tuned *out)
{
    struct group group = {.desc = desc};
    *out = (struct qp_tuned){0};
    if (!qp_parts_are_split(desc->variant->recipe))
        return qp_fail(QP_UNSUPPORTED, "%s shares no grid between two kinds of parts",
                       desc->variant->name);
    if (desc->height < SIXTEENTHS)
        return qp_fail(QP_BAD_USE, "a model takes %d rows at least, and the grid has %d",
                       SIXTEENTHS, desc->height);
    const enum qp_status status = tune(context, &group, out);
    for (int k = 0; k < HEIGHTS; k++)
        qp_problem_destroy(&group.problem[k]);
    return status;
}

int qp_tuned_next_devices(const struct qp_tuned *tuning, int devices)
{
    enum { MOST = 16 };
    const struct qp_record *first = &tuning->run[0].record;
    const struct qp_parts_variant *parts = first->variant->recipe->own;
    int used = 0;
    for (int k = 0; k < tuning->count; k++)
        used =
            used > tuning->run[k].record.parts.devices ? used : tuning->run[k].record.parts.devices;
    const bool alike = qp_parts_run_alike(parts) && first->parts.slow <= 1;
    return alike && used == 2 && devices < MOST ? 2 * devices : 0;
}
