/* SPDX-License-Identifier: MIT */
/* Measures figure 21: each asynchronous variant takes as many launches as it needs to be as near to
 * 4096 steps in double as the synchronous variant is after 1000 (tools/tune/equal.h). The figure's
 * size has three problems and all alphas; of the other sizes one problem, alphas in one run each,
 * and blocks of other heights at each variant's best alpha. */
#include "tools/cmd/paper/bench_paper5_async.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/poisson5/async.h"
#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/problem.h"
#include "lab/walk/description.h"
#include "lab/walk/samples.h"
#include "toolkit/base/status.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/output/trace.h"

/* A scene under way. */
struct stage {
    struct paper_bench *bench;
    struct paper5_async *async;
    const struct paper5_contest *contest;
    struct qp_problem problem;
    double *wanted;
    int number;
};

/* ---- Problems ---- */

enum { PLACES = 3, BLOCK_UP = 8 /* the thesis's block */ };

static const struct place {
    const char *name, *kind;
    int x, y; /* the spike's place in its block */
} places[PLACES] = {{"spike, first cell of its block", "spike", 0, 0},
                    {"spike, middle of its block", "spike", QP_ASYNC_ACROSS / 2, BLOCK_UP / 2},
                    {"field", "field", 0, 0}};

static enum qp_status make_problem(const struct place *place, int n, struct qp_problem *out)
{
    const struct qp_problem_desc desc = {.op = "poisson5",
                                         .kind = place->kind,
                                         .width = n,
                                         .height = n,
                                         .seed = 1,
                                         .mark_x = place->x - n / 2 % QP_ASYNC_ACROSS,
                                         .mark_y = place->y - n / 2 % BLOCK_UP};
    return qp_problem_create(&desc, out);
}

/* ---- Records ---- */

/* Keeps a variant's record, which is that of its failure without an `equal`. */
static enum qp_status keep_record(struct stage *stage, const struct qp_variant *variant,
                                  int launches, int block, const struct qp_equal *equal)
{
    struct qp_record record;
    qp_record_start(&record, variant, &stage->problem, launches, (struct qp_style){0});
    record.verdict = equal != NULL ? QP_PASS : QP_FAIL;
    snprintf(record.reason, sizeof record.reason, "%s", equal != NULL ? "" : qp_error());
    if (equal != NULL) {
        record.parts.alpha = equal->alpha;
        record.block = block;
        record.error = equal->distance[QP_EQUAL_LARGEST];
        record.tolerance = stage->async->scene[stage->number].enough[QP_EQUAL_LARGEST];
        record.seconds_min = equal->seconds_least;
        record.sample_count = equal->timed;
        memcpy(record.samples, equal->samples, sizeof equal->samples);
        record.spread = qp_spread(equal->samples, equal->timed);
        qp_record_rate(&record, equal->seconds);
    }
    return command_add(stage->bench->command, &record);
}

/* Keeps a variant that failed by itself, so that others go on: QP_OK. Returns what ends them
 * all. */
static enum qp_status keep_failed(struct stage *stage, const struct qp_variant *variant,
                                  enum qp_status status)
{
    if (!paper_failed_alone(stage->bench, status))
        return status;
    snprintf(stage->async->reason, sizeof stage->async->reason, "%s", qp_error());
    return keep_record(stage, variant, 0, 0, NULL);
}

/* ---- Points ---- */

/* Launches that are looked at: many times what Jacobi would need, at least so many. */
enum { LOOK_TIMES = 8, LEAST_LOOKS = 16 };

static enum qp_status measure_point(struct stage *stage, const struct qp_variant *variant,
                                    int alpha, int block, int runs)
{
    struct paper5_async *async = stage->async;
    const struct paper5_scene *scene = &async->scene[stage->number];
    struct paper5_point *point = &async->point[async->points];
    if (async->points == MOST_ASYNC_POINTS || cmd_interrupted)
        return QP_OK;
    const struct qp_equal_desc desc = {
        .variant = variant,
        .alpha = alpha > 0 ? alpha : -1,
        .block = block,
        .wanted = stage->wanted,
        .enough = {scene->enough[0], scene->enough[1]},
        .most = LEAST_LOOKS + QP_EQUAL_STAYS * LOOK_TIMES * stage->contest->steps / (alpha + 1),
        .runs = runs,
        .same = !qp_poisson5_is_chaotic(qp_poisson5_variant(variant->recipe)->order),
        .interrupt = &cmd_interrupted};
    progress_say("paper 5, figure 21: %s, alpha %d, n = %d, %s", variant->name, alpha, scene->n,
                 scene->name);
    *point = (struct paper5_point){
        .variant = variant, .scene = stage->number, .alpha = alpha, .block = block};
    const enum qp_status status =
        qp_equal_run(stage->bench->command->context, &stage->problem, &desc, &point->equal);
    if (status != QP_OK)
        return keep_failed(stage, variant, status);
    point->alpha = point->equal.alpha;
    async->points++;
    const int launches = point->equal.launches[QP_EQUAL_LARGEST];
    return launches > 0 ? keep_record(stage, variant, launches, block, &point->equal) : QP_OK;
}

/* Measures a variant with each alpha, or once if it takes none. */
static enum qp_status sweep_alphas(struct stage *stage, const struct qp_variant *variant, int runs)
{
    enum qp_status status = QP_OK;
    const bool takes = qp_recipe_alpha_rule(variant->recipe) != NULL;
    const bool other = stage->number > 0 && stage->number < PLACES;
    const int *alpha = other ? stage->contest->few : stage->contest->alphas;
    for (; *alpha >= 0 && status == QP_OK; alpha++) {
        status = measure_point(stage, variant, takes ? *alpha : 0,
                               qp_recipe_block(variant->recipe, stage->problem.height), runs);
        if (!takes)
            break;
    }
    return status;
}

const struct paper5_point *paper5_async_best(const struct paper5_async *async, int scene,
                                             const struct qp_variant *variant)
{
    const struct paper5_point *best = NULL;
    for (int k = 0; k < async->points; k++) {
        const struct paper5_point *point = &async->point[k];
        if (point->scene == scene && (variant == NULL || point->variant == variant) &&
            (best == NULL || point->equal.seconds < best->equal.seconds) &&
            isfinite(point->equal.seconds))
            best = point;
    }
    return best;
}

/* Other blocks at the variant's best alpha. */
static enum qp_status sweep_blocks(struct stage *stage, const struct qp_variant *variant)
{
    const struct paper5_point *best = paper5_async_best(stage->async, stage->number, variant);
    const int alpha = best != NULL ? best->alpha : 0;
    enum qp_status status = QP_OK;
    const int *blocks = variant->recipe->blocks != NULL ? variant->recipe->blocks->listed : NULL;
    if (best == NULL || blocks == NULL)
        return QP_OK;
    for (const int *block = blocks + 1; *block > 0 && status == QP_OK; block++)
        status = measure_point(stage, variant, alpha, *block, 1);
    return status;
}

/* ---- Scenes ---- */

/* T steps of a synchronous variant, which are `enough` for the others. */
static enum qp_status measure_steps(struct stage *stage, const struct qp_variant *variant,
                                    double enough[QP_EQUAL_NORMS], double *seconds)
{
    const struct qp_equal_desc desc = {.variant = variant,
                                       .wanted = stage->wanted,
                                       .runs = stage->contest->runs,
                                       .interrupt = &cmd_interrupted};
    const int steps = stage->contest->steps;
    struct qp_equal equal;
    const enum qp_status status =
        qp_equal_distance(stage->bench->command->context, &stage->problem, &desc, steps, &equal);
    memcpy(enough, equal.distance, sizeof equal.distance);
    *seconds = equal.seconds;
    if (status == QP_OK)
        return keep_record(stage, variant, steps, 0, &equal);
    const enum qp_status kept = keep_failed(stage, variant, status);
    return kept == QP_OK ? QP_UNSUPPORTED : kept;
}

/* Times the variant that waits, before the opponent; none where it cannot run. */
static enum qp_status measure_waits(struct stage *stage)
{
    const char *name = stage->contest->waits;
    const struct qp_variant *waits = name != NULL ? qp_variant_find(name) : NULL;
    struct paper5_scene *scene = &stage->async->scene[stage->number];
    double ignored[QP_EQUAL_NORMS];
    const enum qp_status status =
        waits != NULL ? measure_steps(stage, waits, ignored, &scene->waits_seconds) : QP_OK;
    scene->waits = status == QP_OK ? waits : NULL;
    return status == QP_UNSUPPORTED ? QP_OK : status;
}

/* Times the first opponent that runs here. */
static enum qp_status measure_opponent(struct stage *stage)
{
    struct paper5_async *async = stage->async;
    struct paper5_scene *scene = &async->scene[stage->number];
    enum qp_status status = qp_fail(QP_UNSUPPORTED, "there is no synchronous variant");
    for (const char *const *name = stage->contest->opponents; *name != NULL; name++) {
        const struct qp_variant *variant = qp_variant_find(*name);
        if (variant == NULL || (async->opponent != NULL && variant != async->opponent))
            continue;
        status = measure_steps(stage, variant, scene->enough, &scene->seconds);
        async->opponent = status == QP_OK ? variant : NULL;
        if (status != QP_UNSUPPORTED)
            break;
    }
    return status;
}

static void keep_components(const struct trace *trace)
{
    *(struct qp_launch_blocks *)trace->user = qp_plan_blocks(trace->plan);
}

/* Asks for the steps and blocks in a launch of each variant. */
static enum qp_status look_at_rows(struct stage *stage)
{
    static const struct trace_stage stages[QP_STAGES + 1] = {
        [QP_STAGE_PROGRAM] = {.show = keep_components}};
    struct paper5_async *async = stage->async;
    enum qp_status status = QP_OK;
    for (int k = 0; k < async->variants && status == QP_OK; k++) {
        struct trace trace = {.stages = stages, .user = &async->components[k]};
        const struct qp_walk_desc walk = {.iterations = 1, .unchecked = true};
        struct qp_result result;
        status = trace_walk(&trace, stage->bench->command->context, async->variant[k],
                            &stage->problem, &walk, &result);
    }
    return status;
}

static enum qp_status measure_rows(struct stage *stage, bool figure)
{
    struct paper5_async *async = stage->async;
    enum qp_status status = measure_waits(stage);
    if (status == QP_OK)
        status = measure_opponent(stage);
    if (status == QP_OK && stage->number == 0)
        status = look_at_rows(stage);
    for (int k = 0; k < async->variants && status == QP_OK; k++) {
        status = sweep_alphas(stage, async->variant[k], figure ? stage->contest->runs : 1);
        if (status == QP_OK && !stage->contest->one_block &&
            (stage->number == 0 || stage->number >= PLACES)) /* once a size */
            status = sweep_blocks(stage, async->variant[k]);
    }
    return status;
}

static enum qp_status measure_scene(struct paper_bench *bench, const struct paper5_contest *contest,
                                    const struct place *place, int n, struct paper5_async *async)
{
    struct stage stage = {
        .bench = bench, .async = async, .contest = contest, .number = async->scenes};
    struct paper5_scene *scene = &async->scene[async->scenes];
    if (async->scenes == MOST_ASYNC_SCENES || cmd_interrupted)
        return QP_OK;
    *scene = (struct paper5_scene){.name = place->name, .n = n};
    enum qp_status status = make_problem(place, n, &stage.problem);
    progress_say("paper 5, figure 21: %d steps in double, n = %d, %s", contest->many, n,
                 place->name);
    if (status == QP_OK)
        status = qp_equal_wanted(bench->command->context, &stage.problem, contest->doubles,
                                 contest->many, &cmd_interrupted, &scene->judge, &stage.wanted);
    if (status == QP_OK)
        status = measure_rows(&stage, n == contest->sizes[0]);
    async->scenes += status == QP_OK;
    free(stage.wanted);
    qp_problem_destroy(&stage.problem);
    return status;
}

/* ---- The contest ---- */

static void find_rows(const char *const *names, struct paper5_async *async)
{
    for (; *names != NULL && async->variants < MOST_ASYNC_VARIANTS; names++) {
        const struct qp_variant *variant = qp_variant_find(*names);
        if (variant != NULL)
            async->variant[async->variants++] = variant;
    }
}

enum qp_status paper5_async_contest(struct paper_bench *bench, const struct paper5_contest *contest,
                                    struct paper5_async *async)
{
    enum qp_status status = QP_OK;
    find_rows(contest->variants, async);
    for (const int *n = contest->sizes; *n > 0 && status == QP_OK; n++) {
        const int count = n == contest->sizes ? PLACES : 1;
        for (int k = 0; k < count && status == QP_OK; k++)
            status = measure_scene(bench, contest, &places[k], *n, async);
    }
    progress_end();
    if (status != QP_UNSUPPORTED && status != QP_BAD_USE)
        return status;
    snprintf(async->reason, sizeof async->reason, "%s", qp_error());
    return QP_OK;
}
