/* SPDX-License-Identifier: MIT */
/* A grid in parts, one of which fails in some stage: one sentence with its reason, the right code,
 * no thread that waits for ever, nothing left, and a caller's context that goes on to work. */
/* wrap: faults.c pthread_create qp_context_create_beside */
#include "support/parts.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

#include "lab/engines/choose.h"
#include "support/faults.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/program.h"

enum { PARTS = 3, STEPS = 9 };

/* ---- Threads that cannot be started (--wrap) ---- */

static int threads_left = INT_MAX, threads_started;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument)
{
    if (threads_left == 0)
        return EAGAIN;
    threads_left -= threads_left < INT_MAX;
    threads_started++;
    return __real_pthread_create(thread, attributes, start, argument);
}

/* ---- Contexts that cannot be opened (--wrap) ---- */

static int contexts_left = INT_MAX, contexts_opened;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* parts open theirs at once */

enum qp_status __real_qp_context_create_beside(const struct qp_context *one,
                                               struct qp_context **out);
enum qp_status __wrap_qp_context_create_beside(const struct qp_context *one,
                                               struct qp_context **out);

enum qp_status __wrap_qp_context_create_beside(const struct qp_context *one,
                                               struct qp_context **out)
{
    pthread_mutex_lock(&lock);
    const bool refused = contexts_left == 0;
    contexts_left -= contexts_left > 0 && contexts_left < INT_MAX;
    contexts_opened += !refused;
    pthread_mutex_unlock(&lock);
    if (!refused)
        return __real_qp_context_create_beside(one, out);
    *out = NULL;
    return qp_fail(QP_UNSUPPORTED, "no context is left");
}

/* ---- Engines that fail in one part ---- */

enum stage { UPLOAD, PROGRAM, PASS, FINISH, CHANGE, GET, PUT, READ, STAGES };

/* Names as sentences hold them. */
static const char *const stages[STAGES] = {"upload", "program", "pass", "finish",
                                           "change", "get",     "put",  "read"};

static const struct qp_engine *sound;
static enum stage broken;
static int victim;        /* the part's place in the grid: 0 lowest */
static int first_failing; /* first failing one of the calls in that stage */
static int calls;         /* calls of the victim's, from its thread alone */

/* Parts differ in their window: the lowest begins at row 0, the highest ends at the last one. */
static bool is_victim(const struct qp_plan *plan)
{
    const struct qp_window *window = &plan->problem->window;
    const bool highest = window->y + plan->problem->height == window->of->height;
    return victim == (window->y == 0 ? 0 : highest ? 2 : 1);
}

static enum qp_status fails(const struct qp_plan *plan, enum stage stage)
{
    if (stage != broken || !is_victim(plan) || ++calls < first_failing)
        return QP_OK;
    return qp_fail(QP_DEVICE, "part %d broke in %s", victim, stages[stage]);
}

#define BREAK_AS(name, member, STAGE, arguments, ...)                 \
    static enum qp_status break_##name arguments                      \
    {                                                                 \
        const enum qp_status status = fails(plan, STAGE);             \
        return status == QP_OK ? sound->member(__VA_ARGS__) : status; \
    }
#define BREAK(name, ...)      BREAK_AS(name, name, __VA_ARGS__)
#define BREAK_ROWS(name, ...) BREAK_AS(rows_##name, rows->name, __VA_ARGS__)

BREAK(upload, UPLOAD, (struct qp_plan * plan), plan)
BREAK(program, PROGRAM, (struct qp_plan * plan), plan)
BREAK(pass, PASS, (struct qp_plan * plan), plan)
BREAK(passes, PASS, (struct qp_plan * plan, int count), plan, count)
BREAK_ROWS(pass, PASS, (struct qp_plan * plan, int y0, int y1, bool ends), plan, y0, y1, ends)
BREAK(finish, FINISH, (struct qp_plan * plan), plan)
BREAK_ROWS(change, CHANGE, (struct qp_plan * plan, double *sums), plan, sums)
BREAK_ROWS(get, GET, (struct qp_plan * plan, int y, int count, void *values), plan, y, count,
           values)
BREAK_ROWS(put, PUT, (struct qp_plan * plan, int y, int count, const void *values), plan, y, count,
           values)
BREAK(read, READ, (struct qp_plan * plan, bool target, void *texels), plan, target, texels)

static void break_engine(const struct qp_variant *variant, struct parts_copy *copy)
{
    parts_copy_make(variant, copy);
    sound = qp_engine_of(parts_whole(variant));
    copy->engine.upload = break_upload;
    copy->engine.program = break_program;
    copy->engine.pass = break_pass;
    copy->engine.passes = sound->passes != NULL ? break_passes : NULL;
    copy->rows.pass = sound->rows->pass != NULL ? break_rows_pass : NULL;
    copy->engine.finish = break_finish;
    copy->rows.change = break_rows_change;
    copy->rows.get = break_rows_get;
    copy->rows.put = break_rows_put;
    copy->engine.read = break_read;
}

/* ---- Walks ---- */

static bool go_on(void *user, int step, double residual)
{
    (void)user, (void)step, (void)residual;
    return true;
}

/* Its status; where the walk ended with a verdict, the cause of that. */
static enum qp_status walk_parts(struct qp_context *context, const struct qp_variant *variant,
                                 int parts)
{
    struct qp_problem problem = parts_problem("field", 12, 21, 0.0);
    const struct qp_walk_desc desc = {
        .iterations = STEPS, .every = 4, .on_residual = go_on, .parts = {.count = parts}};
    struct qp_result result;
    enum qp_status status = qp_walk(context, variant, &problem, &desc, &result);
    if (status == QP_OK && result.verdict != QP_PASS)
        status = qp_fail(result.cause, "%s", result.reason);
    qp_problem_destroy(&problem);
    return status;
}

static enum qp_status walk(struct qp_context *context, const struct qp_variant *variant)
{
    return walk_parts(context, variant, PARTS);
}

/* Nothing stays, and the same variant works afterwards. */
static void goes_on(struct qp_context *context, const struct qp_variant *variant, long blocks)
{
    if (context != NULL) {
        faults_forget(context);
        support_check_clean((void *[]){context});
    }
    if (faults_live_blocks() != blocks)
        fail_msg("%s: %ld blocks leak", variant->name, faults_live_blocks() - blocks);
    assert_ok(walk(context, variant));
}

static void break_each_stage(struct qp_context *context, const char *name)
{
    const struct qp_variant *variant = qp_variant_find(name);
    struct parts_copy copy;
    char words[64];
    assert_ok(walk(context, variant));
    faults_forget(context);
    const long blocks = faults_live_blocks();
    break_engine(variant, &copy);
    for (int k = 0; k < STAGES * PARTS; k++) {
        broken = (enum stage)(k / PARTS);
        victim = k % PARTS;
        first_failing = broken == PASS || (broken >= CHANGE && broken <= PUT) ? 2 : 1;
        calls = 0;
        if (walk(context, &copy.variant) != QP_DEVICE)
            fail_msg("%s, part %d broken in %s: no failure", name, victim, stages[broken]);
        snprintf(words, sizeof words, "part %d broke in %s", victim, stages[broken]);
        support_assert_sentence(words);
    }
    parts_copy_free(&copy);
    goes_on(context, variant, blocks);
}

CLEAN_TEST(stages_of_threads_fail)
{
    break_each_stage(NULL, "poisson5/parts_sequential");
}

CLEAN_TEST(stages_of_contexts_fail)
{
    break_each_stage(support_need_context(state), "poisson5/parts_rgba");
}

/* ---- Threads that parts need ---- */

/* With each number of threads short of three. */
CLEAN_TEST(threads_cannot_be_started)
{
    const struct qp_variant *variant = qp_variant_find("poisson5/parts_sequential");
    assert_ok(walk(NULL, variant));
    const long blocks = faults_live_blocks();
    for (int k = 0; k < PARTS; k++) {
        char words[64];
        threads_left = k;
        const enum qp_status status = walk(NULL, variant);
        threads_left = INT_MAX;
        assert_int_equal(status, QP_NO_MEMORY);
        snprintf(words, sizeof words, "thread %d of %d cannot be started", k + 1, PARTS);
        support_assert_sentence(words);
        goes_on(NULL, variant, blocks);
    }
}

CLEAN_TEST(contexts_cannot_be_opened)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_variant *variant = qp_variant_find("poisson5/parts_rgba");
    assert_ok(walk(context, variant));
    faults_forget(context);
    const long blocks = faults_live_blocks();
    for (int k = 0; k < PARTS; k++) {
        contexts_left = k;
        const enum qp_status status = walk(context, variant);
        contexts_left = INT_MAX;
        assert_int_equal(status, QP_UNSUPPORTED);
        support_assert_sentence("no context is left");
        goes_on(context, variant, blocks);
        faults_forget(context);
    }
}

static int count_kept(const struct qp_context *context)
{
    int count = 0;
    for (int k = 0; k < PARTS; k++)
        count += *qp_pool_context(context->threads, k) != NULL;
    return count;
}

static void assert_started(int threads, int contexts)
{
    assert_int_equal(threads_started, threads);
    assert_int_equal(contexts_opened, contexts);
    threads_started = contexts_opened = 0;
}

/* Threads with their contexts: opening one and compiling its programs takes longer than a short
 * run. The context in which a part failed is not kept, and threads that are too few for the next
 * plan are not. Starts are counted, since new ones may have the addresses of old ones. */
CLEAN_TEST(threads_are_kept)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_variant *variant = qp_variant_find("poisson5/parts_rgba");
    struct parts_copy copy;
    faults_forget(context);
    threads_started = contexts_opened = 0;
    assert_ok(walk(context, variant));
    assert_started(PARTS, PARTS);
    assert_int_equal(count_kept(context), PARTS);
    const struct qp_pool *threads = context->threads;
    const struct qp_program *programs = (*qp_pool_context(context->threads, 0))->programs;
    assert_non_null(programs);
    assert_ok(walk(context, variant));
    assert_started(0, 0);
    assert_ptr_equal(context->threads, threads);
    assert_int_equal(count_kept(context), PARTS);
    assert_ptr_equal((*qp_pool_context(context->threads, 0))->programs, programs);
    break_engine(variant, &copy);
    broken = PASS;
    victim = calls = 0;
    first_failing = 2;
    assert_int_equal(walk(context, &copy.variant), QP_DEVICE);
    assert_started(0, 0);
    assert_ptr_equal(context->threads, threads);
    assert_null(*qp_pool_context(context->threads, victim));
    assert_int_equal(count_kept(context), PARTS - 1);
    parts_copy_free(&copy);
    assert_ok(walk_parts(context, variant, PARTS + 1));
    assert_started(PARTS + 1, PARTS + 1);
    assert_int_equal(qp_pool_threads(context->threads), PARTS + 1);
}

GROUP(faults_open_context, support_close_context)
