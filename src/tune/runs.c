/* SPDX-License-Identifier: MIT */
#include "tune/runs.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/watch.h"
#include "engines/parts.h"
#include "ops/table.h"
#include "plan/op.h"
#include "plan/problem.h"

enum {
    HEIGHTS = 6,
    DEFAULT_STEPS = 32,
    DEFAULT_REPEATS = 5,
    SIXTEENTHS = 16,
    SPLITS = 3,
    SWEEP = 12
};

/* Heights of the grids of one part, and the splits that tell how both hinder each other, in sixteenths of the rows. */
static const int height_of[HEIGHTS] = {1, 2, 4, 8, 12, 16};
static const int split_of[SPLITS] = {4, 8, 12};
/* The sweep; the best split by the model stands beside them. */
static const int sweep_of[SWEEP] = {0, 1, 2, 3, 4, 6, 8, 10, 12, 13, 14, 16};

/* Runs to come, one record each. */
struct group {
    const struct qp_tune_desc *desc;
    struct qp_problem problem[HEIGHTS]; /* the last is the whole grid */
    int first, count;                   /* of the tuning's runs */
    int before, all;                    /* walks of earlier groups, of all */
};

static int share(const struct qp_tune_desc *desc, int sixteenths)
{
    return (int)((long)desc->height * sixteenths / SIXTEENTHS);
}

static enum qp_status make_problems(struct group *group)
{
    const struct qp_tune_desc *desc = group->desc;
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

/* `split` is that of struct qp_parts_desc. */
static struct qp_tune_run run_of(const struct group *group, enum qp_tune_what what, int problem,
                                 int split)
{
    const struct qp_tune_desc *desc = group->desc;
    struct qp_tune_run run = {.what = what, .measured = NAN, .predicted = NAN};
    run.rows = problem; /* until it has run */
    run.record.style.parts = (struct qp_parts_desc){
        .depth = desc->depth, .split = split > 0 ? split : -1, .slow = desc->slow};
    return run;
}

static void count_walk(void *user, int done, int all)
{
    const struct group *group = user;
    (void)all;
    if (group->desc->on_walk != NULL)
        group->desc->on_walk(group->desc->user, group->before + done, group->all);
}

/* Rows as the grid was cut, and seconds of a step. */
static enum qp_status take(struct qp_tune_run *run, const struct qp_problem *problem,
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
static enum qp_status run_all(struct qp_context *context, struct group *group,
                              struct qp_tuning *out)
{
    const struct qp_tune_desc *desc = group->desc;
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
        const struct qp_tune_run *run = &out->run[group->first + k];
        variants[k] = desc->variant;
        problems[k] = &group->problem[run->rows];
        styles[k] = run->record.style;
    }
    enum qp_status status = qp_bench(context, variants, problems, group->count, &bench, records);
    for (int k = 0; k < group->count && status == QP_OK; k++)
        status = take(&out->run[group->first + k], problems[k], &records[k]);
    free(records);
    if (status == QP_OK && desc->interrupt != NULL && *desc->interrupt != 0)
        status = qp_watch_fail();
    group->before += bench.repeats * group->count;
    return status;
}

/* Times of one kind. */
static int collect(const struct qp_tuning *tuning, enum qp_tune_what what,
                   struct qp_sample *samples)
{
    int count = 0;
    for (int k = 0; k < tuning->count && count < QP_CURVE_SAMPLES; k++) {
        if (tuning->run[k].what == what)
            samples[count++] = (struct qp_sample){tuning->run[k].rows, tuning->run[k].measured};
    }
    return count;
}

static void fit(const struct qp_tune_desc *desc, struct qp_tuning *out)
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

static void predict(const struct qp_tune_desc *desc, struct qp_tuning *out)
{
    const struct qp_model *model = &out->model;
    for (int k = 0; k < out->count; k++) {
        struct qp_tune_run *run = &out->run[k];
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

static void learn_runs(struct group *group, struct qp_tuning *out)
{
    const struct qp_tune_desc *desc = group->desc;
    for (int k = 0; k < HEIGHTS; k++) {
        out->run[out->count++] = run_of(group, QP_TUNE_LOWER, k, share(desc, height_of[k]));
        out->run[out->count++] = run_of(group, QP_TUNE_UPPER, k, 0);
    }
    for (int k = 0; k < SPLITS; k++)
        out->run[out->count++] =
            run_of(group, QP_TUNE_TOGETHER, HEIGHTS - 1, share(desc, split_of[k]));
    group->count = out->count;
}

/* The sweep, in the order of the splits, and the best one by the model among them. */
static void sweep_runs(struct group *group, struct qp_tuning *out)
{
    const struct qp_tune_desc *desc = group->desc;
    const int best = qp_model_best(&out->model, 1);
    bool stands = false;
    group->first = out->count;
    for (int k = 0; k < SWEEP; k++) {
        const int split = share(desc, sweep_of[k]);
        if (!stands && best < split) {
            out->best = out->count;
            out->run[out->count++] = run_of(group, QP_TUNE_SWEEP, HEIGHTS - 1, best);
        }
        stands = stands || best <= split;
        if (best == split)
            out->best = out->count;
        out->run[out->count++] = run_of(group, QP_TUNE_SWEEP, HEIGHTS - 1, split);
    }
    group->count = out->count - group->first;
}

static enum qp_status tune(struct qp_context *context, struct group *group, struct qp_tuning *out)
{
    const int repeats = group->desc->repeats > 0 ? group->desc->repeats : DEFAULT_REPEATS;
    enum qp_status status = make_problems(group);
    learn_runs(group, out);
    group->all = repeats * (group->count + SWEEP + 1);
    if (status == QP_OK)
        status = run_all(context, group, out);
    if (status != QP_OK)
        return status;
    fit(group->desc, out);
    sweep_runs(group, out);
    status = run_all(context, group, out);
    if (status != QP_OK)
        return status;
    out->optimum = group->first;
    for (int k = group->first; k < out->count; k++) {
        if (out->run[k].measured < out->run[out->optimum].measured)
            out->optimum = k;
    }
    predict(group->desc, out);
    return QP_OK;
}

enum qp_status qp_tune(struct qp_context *context, const struct qp_tune_desc *desc,
                       struct qp_tuning *out)
{
    struct group group = {.desc = desc};
    *out = (struct qp_tuning){0};
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
