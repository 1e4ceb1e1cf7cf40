/* SPDX-License-Identifier: MIT */
/* Searches of made-up spaces: what they find in how many runs, and that budgets, seeds and
 * interrupts are kept. */
#include "tools/tune/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/scores.h"
#include "support/support.h"
#include "toolkit/base/random.h"
#include "toolkit/base/watch.h"

enum { MOST = 4096, RUNS = 30, SEEDS = 20 };

/* The space under way: seconds of each configuration, 0 for a wrong one; and how noisy samples
 * are. */
static struct qp_space space;
static double seconds[MOST], noise;
static int calls, interrupt_at;
static sig_atomic_t interrupt;

/* The best seconds after each run. */
static double best_after[MOST];

static enum qp_status attempt(void *user, struct qp_tried *tried)
{
    const double time = seconds[tried->configuration];
    uint64_t random = (uint64_t)tried->configuration * 1000 + (uint64_t)tried->count;
    (void)user;
    if (++calls == interrupt_at)
        interrupt = 1;
    tried->times[QP_TRIED_COMPILING] = 0.25;
    if (time > 0.0)
        tried->samples[tried->count++] = time * (1.0 + qp_random(&random, 0.0, noise));
    else
        tried->end = QP_TRIED_CORRECTNESS;
    return QP_OK;
}

static void on_run(void *user, const struct qp_search *now)
{
    (void)user;
    best_after[now->count - 1] =
        now->best >= 0 ? seconds[now->tried[now->best].configuration] : INFINITY;
}

static struct qp_search search(struct qp_search_desc desc)
{
    struct qp_search found;
    calls = 0;
    desc.space = &space;
    desc.attempt = attempt;
    desc.on_run = on_run;
    assert_ok(qp_search(&desc, &found));
    return found;
}

static void read_space(const char *text)
{
    qp_space_destroy(&space);
    assert_ok(qp_space_read(text, &space));
    assert_true(space.size <= MOST);
    noise = 0.0;
    interrupt_at = 0;
    memset(seconds, 0, sizeof seconds);
}

/* Times of valid configurations in ascending order; returns how many are correct. */
static int sorted_times(double *sorted)
{
    int count = 0;
    for (int k = 0; k < space.count; k++) {
        if (seconds[space.valid[k]] > 0.0)
            sorted[count++] = seconds[space.valid[k]];
    }
    scores_sort(sorted, count);
    return count;
}

static double normal(uint64_t *random)
{
    double sum = -6.0;
    for (int i = 0; i < 12; i++)
        sum += qp_random(random, 0.0, 1.0);
    return sum;
}

/* Makes logarithms of times: a valley for each parameter, what each value does by itself, and each
 * two together. */
static void make_times(int seed, double rough)
{
    static double single[QP_SPACE_PARAMETERS][16];
    static double both[QP_SPACE_PARAMETERS][QP_SPACE_PARAMETERS][16][16];
    uint64_t random = (uint64_t)seed + 1000;
    for (int p = 0; p < space.parameters; p++) {
        const int count = space.parameter[p].count,
                  bottom = (int)(qp_random_bits(&random) % (uint64_t)count);
        const double slope = qp_random(&random, 0.2, 1.2);
        for (int i = 0; i < count; i++)
            single[p][i] =
                slope * abs(i - bottom) / (count > 1 ? count - 1 : 1) + 0.1 * fabs(normal(&random));
        for (int q = 0; q < p; q++)
            for (int i = 0; i < count * space.parameter[q].count; i++)
                both[p][q][i % count][i / count] = rough * normal(&random);
    }
    for (int k = 0; k < space.count; k++) {
        double sum = 0.0;
        for (int p = 0; p < space.parameters; p++) {
            const int i = qp_space_digit(&space, space.valid[k], p);
            sum += single[p][i];
            for (int q = 0; q < p; q++)
                sum += both[p][q][i][qp_space_digit(&space, space.valid[k], q)];
        }
        seconds[space.valid[k]] = 1e-3 * exp(sum);
    }
}

/* Times of 1,000 configurations, one of which is the best, by a factor of three against the
 * median. */
static void make_steep(int seed)
{
    double sorted[MOST];
    make_times(seed, 0.03);
    const int count = sorted_times(sorted);
    const double stretch = log(3.0) / log(sorted[count / 2] / sorted[0]);
    assert_int_equal(count, 1000);
    for (int k = 0; k < count; k++)
        seconds[k] = 1e-3 * pow(seconds[k] / sorted[0], stretch);
}

TEST(steep_space_takes_few_runs)
{
    enum { TRIES = 100, LIMIT = 80 };
    double needed[TRIES];
    read_space("tune a = 1 2 4 8 16 32 64 128 256 512\ntune b = 1 2 4 8 16\ntune c = 1 2 4 8 16\n"
               "tune d = s t u v\n");
    for (int i = 0; i < TRIES; i++) {
        make_steep(i);
        struct qp_search found =
            search((struct qp_search_desc){.seed = (uint64_t)i + 1, .runs = LIMIT});
        int runs = 0;
        while (runs < LIMIT && best_after[runs] > 1.0000001e-3)
            runs++;
        needed[i] = runs + 1;
        qp_search_destroy(&found);
    }
    print_message("steep spaces take %g runs in the median\n", scores_median(needed, TRIES));
    assert_true(scores_median(needed, TRIES) < 30.0);
}

/* Kernels as they are: tiles that spill, threads that go well with some tiles only, wrong
 * corners. */
static void make_tuning(int seed)
{
    read_space("fact reach = 2\n"
               "tune tile_x = 32 8 16 64 128\ntune tile_y = 8 1 2 4 16 32\ntune steps = 1 2 4 8\n"
               "tune unroll = 1 2 4\ntune order = rows tiles diagonal\n"
               "tune not tile_x * tile_y > 1024\ntune not tile_x * tile_y < 32\n"
               "tune not steps * reach + steps * reach > tile_y with order = tiles diagonal\n");
    make_times(seed, 0.05);
    for (int k = 0; k < space.count; k++) {
        const int at = space.valid[k];
        const double x = space.parameter[1].number[qp_space_digit(&space, at, 1)],
                     y = space.parameter[2].number[qp_space_digit(&space, at, 2)],
                     steps = space.parameter[3].number[qp_space_digit(&space, at, 3)];
        seconds[at] *= x * y * steps > 2048 ? 2.5 : 1.0;          /* registers spill */
        seconds[at] = steps == 8 && x == 128 ? 0.0 : seconds[at]; /* and do not suffice */
    }
}

TEST(tuning_spaces_take_30_runs)
{
    enum { SPACES = 8 };
    double guided = 0.0, random = 0.0, found = 0.0;
    for (int i = 0; i < SPACES; i++) {
        double of_guided, of_random;
        make_tuning(i);
        assert_in_range(space.count, 500, 700);
        struct scores_space times = scores_space(&space, seconds);
        struct qp_search_desc desc = {.space = &space, .attempt = attempt};
        const double part = scores_search(&times, desc, SEEDS, &of_guided);
        desc.strategy = QP_RANDOM;
        scores_search(&times, desc, SEEDS, &of_random);
        free(times.sorted);
        print_message("space %d: %.3f of the best, score %.2f, random %.2f\n", i, part, of_guided,
                      of_random);
        found += part / SPACES;
        guided += of_guided / SPACES;
        random += of_random / SPACES;
    }
    assert_true(found >= 0.97);
    assert_true(fabs(random) < 0.15);
    assert_true(guided > random + 0.4);
}

/* A space whose times are those of a model, the largest of two terms, is known after a few runs. */
TEST(model_leads_to_the_best)
{
    double needed[SEEDS], sorted[MOST];
    read_space("tune steps = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24\n"
               "tune tile = 8 12 16 20 24 28 32 40 48 56 64 80 96 112 128\n"
               "term launches = 1 / steps\n"
               "term arithmetic = 1 + 2 * steps / tile + steps * steps / tile / tile\n"
               "term fetches = 7\n"
               "term nothing = 0 * tile\n");
    for (int k = 0; k < space.count; k++)
        seconds[k] = fmax(0.01 * qp_space_term(&space, k, 0), 0.0007 * qp_space_term(&space, k, 1));
    sorted_times(sorted);
    for (int i = 0; i < SEEDS; i++) {
        struct qp_search found = search((struct qp_search_desc){.seed = (uint64_t)i, .runs = RUNS});
        int runs = 0;
        while (runs < RUNS && best_after[runs] > 1.0001 * sorted[0])
            runs++;
        needed[i] = runs + 1;
        assert_true(found.model_error < 0.01);
        qp_search_destroy(&found);
    }
    assert_true(scores_median(needed, SEEDS) <= 9.0);
}

static const char plain[] = "tune a = 1 2 3 4 5 6 7 8\ntune b = 1 2 3 4 5\ntune c = x y\n";

TEST(plateau_is_even)
{
    read_space(plain);
    for (int k = 0; k < space.size; k++)
        seconds[k] = 1e-3;
    for (int i = 0; i < QP_STRATEGIES; i++) {
        struct qp_search found = search((struct qp_search_desc){.strategy = (enum qp_strategy)i});
        assert_int_equal(found.count, space.count);
        assert_true(found.even && found.whole);
        assert_int_equal(found.tried[0].configuration, 0);
        assert_in_range(found.tried[found.best].count, 5, 6);
        qp_search_destroy(&found);
    }
}

TEST(one_is_correct)
{
    read_space(plain);
    seconds[space.size / 2] = 1e-3;
    for (int i = 0; i < QP_STRATEGIES; i++) {
        struct qp_search found =
            search((struct qp_search_desc){.strategy = (enum qp_strategy)i, .seed = 3});
        assert_int_equal(found.count, space.count);
        assert_int_equal(found.wrong, space.count - 1);
        assert_int_equal(found.tried[found.best].configuration, space.size / 2);
        assert_int_equal(found.rival, -1);
        qp_search_destroy(&found);
    }
    seconds[space.size / 2] = 0.0;
    struct qp_search found = search((struct qp_search_desc){.runs = 20});
    assert_int_equal(found.best, -1);
    assert_int_equal(found.wrong, 20);
    qp_search_destroy(&found);
}

/* More samples are taken of two that differ by 1 %, with samples that differ by 10 %, and none of
 * two that differ by 30 %; also of the fastest and a default that is the slowest. */
TEST(noise_is_sampled_away)
{
    for (int i = 0; i < 4; i++) {
        const bool far = i % 2 == 1, slow = i > 1;
        read_space("tune a = 1 2 3\n");
        for (int k = 0; k < 3; k++)
            seconds[k] = 1e-3 * (1.0 + (far ? 0.3 : 0.01) * (slow ? 2 - k : k));
        noise = 0.1;
        struct qp_search found = search((struct qp_search_desc){.strategy = QP_EXHAUSTIVE});
        const int count = found.tried[found.best].count;
        assert_int_equal(found.even, !far);
        assert_int_equal(found.even_with_default, !far && found.best != 0);
        assert_true(far ? count <= 7 : count >= 20);
        assert_true(far || found.best == 0 || found.tried[0].count >= 20);
        qp_search_destroy(&found);
    }
}

TEST(budgets_are_kept)
{
    read_space(plain);
    make_times(7, 0.1);
    for (int i = 0; i < QP_STRATEGIES; i++) {
        for (int runs = 1; runs < 12; runs += 5) {
            struct qp_search found =
                search((struct qp_search_desc){.strategy = (enum qp_strategy)i, .runs = runs});
            assert_int_equal(found.count, runs);
            qp_search_destroy(&found);
        }
        for (double budget = 0.1; budget < 15.0; budget *= 2.0) {
            struct qp_search found =
                search((struct qp_search_desc){.strategy = (enum qp_strategy)i, .seconds = budget});
            assert_true(found.spent <= budget + 0.26);
            assert_true(found.spent >= 0.9 * budget - 2.0);
            assert_in_range(found.count, 1, 4 * budget + 1);
            qp_search_destroy(&found);
        }
    }
}

TEST(seeds_decide)
{
    int first[3][20];
    read_space(plain);
    make_times(7, 0.1);
    for (int i = 0; i < 2; i++) {
        for (int seed = 0; seed < 3; seed++) {
            struct qp_search found = search((struct qp_search_desc){
                .strategy = (enum qp_strategy)i, .seed = (uint64_t)seed / 2, .runs = 20});
            for (int k = 0; k < 20; k++) {
                first[seed][k] = found.tried[k].configuration;
                for (int j = 0; j < k; j++)
                    assert_int_not_equal(first[seed][j], first[seed][k]);
            }
            qp_search_destroy(&found);
        }
        assert_memory_equal(first[0], first[1], sizeof first[0]);
        assert_memory_not_equal(first[0], first[2], sizeof first[0]);
    }
}

TEST(interrupt_ends_it)
{
    const struct qp_watch before = qp_watch_interrupt(&interrupt);
    read_space(plain);
    make_times(7, 0.1);
    for (interrupt_at = 1; interrupt_at < 62; interrupt_at += 4) {
        struct qp_search found = search((struct qp_search_desc){.runs = 20});
        assert_int_equal(calls, interrupt_at);
        assert_false(found.whole);
        assert_in_range(found.count, (interrupt_at - 1) / 3 < 20 ? (interrupt_at - 1) / 3 : 20, 20);
        qp_search_destroy(&found);
        interrupt = 0;
    }
    qp_watch_set(before);
}

static enum qp_status refuse(void *user, struct qp_tried *tried)
{
    return calls++ < *(int *)user ? attempt(NULL, tried) : QP_DEVICE;
}

TEST(errors_end_it)
{
    int after = 10;
    struct qp_search found;
    read_space(plain);
    make_times(7, 0.1);
    calls = 0;
    assert_int_equal(
        qp_search(&(struct qp_search_desc){.space = &space, .attempt = refuse, .user = &after},
                  &found),
        QP_DEVICE);
    assert_true(found.count > 0 && !found.whole);
    qp_search_destroy(&found);
    qp_space_destroy(&space);
}
