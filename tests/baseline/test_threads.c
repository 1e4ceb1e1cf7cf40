/* SPDX-License-Identifier: MIT */
/* Another library's variant runs on the number of threads that is fastest at its size, whatever
 * that is. Calls here only say how long they took. */
#include "support/support.h"

#include "lab/baseline/baseline.h"
#include "lab/baseline/stall.h"
#include "lab/baseline/threads.h"
#include "toolkit/base/watch.h"

/* Seconds on each number of threads, and the numbers that were asked for. */
static double seconds[17];
static int asked[64], calls;

static double call(const struct qp_sweep *sweep, int threads)
{
    (void)sweep;
    assert_true(calls < COUNT(asked));
    asked[calls++] = threads;
    return seconds[threads];
}

static int choose(struct baseline_threads *known, int size, int most)
{
    const struct qp_sweep sweep = {.width = size + 1, .height = size};
    calls = 0;
    baseline_try_threads(known, &sweep, most, call);
    return baseline_threads_for(known, &sweep, most);
}

/* Times of 1, 2, 4, 8 and 12 or 16 threads; which is best, and how many of them are tried. */
static const struct {
    double times[5];
    int most, best, tried;
} cases[] = {
    {{1.6, 0.8, 0.4, 0.2, 0.1}, 16, 16, 3},  /* 4 take four times as long: fewer are not tried */
    {{0.9, 0.31, 0.4, 0.45, 0.5}, 16, 2, 5}, /* an H200's host at N = 2000 */
    {{0.1, 0.2, 0.3, 0.4, 0.5}, 12, 1, 5},
    {{0.5, 0.45, 0.3, 0.2, 0.21}, 12, 8, 4},
    {{0.2, 0.1}, 2, 2, 2},
    {{0.2}, 1, 1, 1},
};

/* Default of --stall, for processes. */
TEST(patience_is_half_a_minute)
{
    assert_true(stall_seconds() == 30.0);
}

TEST(the_fastest_is_taken)
{
    for (int i = 0; i < COUNT(cases); i++) {
        struct baseline_threads known = {0};
        for (int k = 0; k < 5; k++)
            seconds[k < 4 ? 1 << k : cases[i].most < 12 ? 0 : cases[i].most] = cases[i].times[k];
        assert_int_equal(choose(&known, 100, cases[i].most), cases[i].best);
        assert_int_equal(asked[0], cases[i].most);
        assert_int_equal(calls, cases[i].tried);
    }
}

/* The shortest of short calls counts: the first of them starts threads. */
static double warming_call(const struct qp_sweep *sweep, int threads)
{
    (void)sweep;
    return threads == 2 && calls++ == 0 ? 0.04 : threads == 2 ? 0.01 : 0.02;
}

TEST(the_first_call_may_be_slow)
{
    const struct qp_sweep sweep = {.width = 8, .height = 7};
    struct baseline_threads known = {0};
    calls = 0;
    baseline_try_threads(&known, &sweep, 2, warming_call);
    assert_true(calls > 1);
    assert_int_equal(baseline_threads_for(&known, &sweep, 2), 2);
}

TEST(each_size_is_tried_once)
{
    struct baseline_threads known = {0};
    seconds[1] = 0.2;
    seconds[2] = 0.1;
    for (int size = 1; size <= 17; size++) {
        assert_int_equal(choose(&known, size, 2), 2);
        assert_int_equal(calls, 2);
    }
    seconds[1] = 0.05;
    assert_int_equal(choose(&known, 17, 2), 2);
    assert_int_equal(calls, 0);
    assert_int_equal(choose(&known, 1, 2), 1); /* the latest sizes are known alone */
    const struct qp_sweep other = {.width = 9, .height = 4};
    assert_int_equal(baseline_threads_for(&known, &other, 2), 2);
}

TEST(what_is_interrupted_is_not_known)
{
    const volatile sig_atomic_t interrupt = 1;
    struct baseline_threads known = {0};
    seconds[1] = 0.1;
    seconds[2] = 0.2;
    const struct qp_watch before = qp_watch_interrupt(&interrupt);
    assert_int_equal(choose(&known, 5, 2), 2);
    qp_watch_set(before);
    assert_int_equal(known.tried, 0);
}

/* LAPACK's variant says what it took, in a timed run and without one. */
TEST(rows_say_their_number)
{
    static const char *const names[] = {"gauss_jordan/sgesv", "gauss_jordan_batch/sgesv"};
    for (int i = 0; i < COUNT(names); i++) {
        const struct qp_variant *variant = qp_variant_find(names[i]);
        if (!support_is_built(variant)) {
            if (support_is_required("blas"))
                fail_msg("REQUIRE=blas, but this build lacks what %s calls", names[i]);
            continue;
        }
        const struct qp_problem_desc desc = {.op = variant->op, .width = 12, .height = 12};
        const struct qp_bench_desc runs[] = {{.iterations = 1, .repeats = 1},
                                             {.iterations = 1, .repeats = 1, .cold = true}};
        for (int k = 0; k < COUNT(runs); k++) {
            struct qp_problem problem, *problems = &problem;
            struct qp_record record;
            assert_ok(qp_problem_create(&desc, &problem));
            assert_ok(qp_bench(NULL, &variant, &problems, 1, &runs[k], &record));
            assert_true(record.verdict == QP_PASS && record.threads > 0);
            qp_problem_destroy(&problem);
        }
    }
}

GROUP(support_lend, NULL)
