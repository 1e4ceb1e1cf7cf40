/* SPDX-License-Identifier: MIT */
/* Convention 3 for parts on devices of CUDA (support/devices.h): each wait of streams that is left
 * out, and each border that is spoilt, is found at some pace; a slow device is slow; and every call
 * to CUDA may fail. */
/* wrap: cuda_fake*.c */
#include "support/devices.h"

#include "lab/engines/cuda.h"

static const char *const rows[] = {"poisson5/parts_cuda", "poisson5/parts_cuda_locked"};

/* ---- Each wait counts ---- */

enum harm {
    UNHARMED,
    STALE,          /* no rows are taken */
    SWAPPED,        /* rows from below go above, and back */
    SHIFTED,        /* rows go one farther inside */
    GIVEN_EARLY,    /* rows are given that the last step has not computed yet */
    TAKEN_EARLY,    /* rows are taken before they are there */
    COMPUTED_EARLY, /* rows at a border are computed before their neighbours arrive */
    GONE_ON_EARLY,  /* the next step begins before rows at a border are computed */
    HARMS
};

static const char *const names[HARMS] = {"unharmed",       "stale",        "swapped",
                                         "shifted",        "given early",  "taken early",
                                         "computed early", "gone on early"};

static enum harm harm;

static int mirrored(const struct qp_plan *plan, int y, int count)
{
    return plan->problem->height - count - y;
}

static enum qp_status give(struct qp_plan *plan, int y, int count, struct qp_border *border)
{
    struct qp_plan_cuda *own = plan->own;
    void *const first = own->cuda->stream;
    if (harm == GIVEN_EARLY)
        own->cuda->stream = own->side.stream;
    const enum qp_status status = qp_plan_cuda_rows.give(plan, y, count, border);
    own->cuda->stream = first;
    return status;
}

static enum qp_status take(struct qp_plan *plan, int y, int count, struct qp_border *border)
{
    struct qp_plan_cuda *own = plan->own;
    struct qp_border changed = *border;
    if (harm == STALE)
        return QP_OK;
    if (harm == SWAPPED)
        y = mirrored(plan, y, count);
    if (harm == SHIFTED)
        y += y == 0 ? 1 : -1;
    if (harm == TAKEN_EARLY)
        changed.there = NULL;
    const enum qp_status status = qp_plan_cuda_rows.take(plan, y, count, &changed);
    own->aside = own->aside && harm != COMPUTED_EARLY;
    return status;
}

static enum qp_status pass_rows(struct qp_plan *plan, int y0, int y1, bool ends)
{
    struct qp_plan_cuda *own = plan->own;
    const enum qp_status status =
        qp_plan_cuda_rows.pass(plan, y0, y1, ends && harm != GONE_ON_EARLY);
    if (ends && harm == GONE_ON_EARLY) {
        own->aside = false;
        own->step++;
    }
    return status;
}

/* Walks that fail, of one at each pace. */
static int count_failures(const struct devices_variant *variant, int depth)
{
    int failures = 0;
    struct qp_problem problem = parts_problem("field", 14, 36, 0.0);
    for (int pace = 0; pace < DEVICES_PACES; pace++) {
        const struct qp_walk_desc desc = {.iterations = 4 * depth + 3,
                                          .parts = {.count = 3, .depth = depth}};
        devices_pace(pace);
        struct qp_result result = devices_walk(&variant->variant, &problem, desc);
        assert_int_equal(result.cause, QP_OK);
        failures += result.verdict == QP_FAIL;
        qp_matrix_destroy(&result.solution);
    }
    qp_problem_destroy(&problem);
    return failures;
}

DEVICES_TEST(every_wait_counts)
{
    if (!support_has_cuda())
        skip();
    for (int k = 0; k < COUNT(rows); k++) {
        struct devices_variant variant;
        devices_variant_make(rows[k], false, &variant);
        variant.rows.give = give;
        variant.rows.take = take;
        variant.rows.pass = pass_rows;
        for (int h = UNHARMED; h < HARMS; h++) {
            harm = (enum harm)h;
            const int failures = count_failures(&variant, 1) + count_failures(&variant, 2);
            if ((failures > 0) != (h != UNHARMED))
                fail_msg("%s, %s: %d walks failed", variant.variant.name, names[h], failures);
        }
    }
}

/* ---- Slow devices, and failures ---- */

/* The lowest part takes each step SLOW times; its next step begins when all of them are done,
 * however late they are. */
DEVICES_TEST(a_slow_part_is_slow_on_its_device)
{
    enum { STEPS = 10, SLOW = 4, WARM = 2 /* launches of both plans before the run */ };
    struct devices_variant variant;
    if (!support_has_cuda())
        skip();
    struct qp_problem problem = parts_problem("field", 9, 30, 0.0);
    const struct qp_walk_desc desc = {.iterations = STEPS, .parts = {.count = 1, .slow = SLOW}};
    devices_variant_make(rows[0], false, &variant);
    devices_pace(FAKE_LATE);
    devices_done.count = 0;
    struct qp_result result = devices_walk(&variant.variant, &problem, desc);
    assert_int_equal(result.verdict, QP_PASS);
    assert_int_equal(devices_done.count, WARM + STEPS * SLOW);
    const void *const *stream = devices_done.stream + WARM;
    for (int k = 0; k < STEPS * SLOW; k++)
        assert_true((stream[k] == stream[0]) == (k % SLOW == 0));
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
}

/* Every call to CUDA fails once: there is a sentence, nothing is left, and no thread waits for
 * ever. */
DEVICES_TEST(every_call_fails_once)
{
    struct devices_variant variant;
    struct qp_result result;
    if (!support_has_cuda())
        skip();
    struct qp_problem problem = parts_problem("field", 9, 30, 0.0);
    const struct qp_walk_desc desc = {.iterations = 3, .parts = {.count = 3}};
    devices_variant_make(rows[0], false, &variant);
    assert_ok(qp_walk(NULL, &variant.variant, &problem, &desc, &result));
    const int calls = cuda_fake.calls;
    int failed = 0;
    cuda_fake.error = FAKE_INVALID;
    for (int k = 1; k <= calls; k++) {
        cuda_fake.calls = 0;
        cuda_fake.fail_at = k;
        assert_ok(qp_walk(NULL, &variant.variant, &problem, &desc, &result));
        failed += result.cause == QP_DEVICE;
        if (devices_left() != 0)
            fail_msg("call %d of %d leaves something behind", k, calls);
    }
    if (failed < calls / 2)
        fail_msg("of %d calls %d failed a walk", calls, failed);
    qp_problem_destroy(&problem);
}
