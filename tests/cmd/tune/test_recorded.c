/* SPDX-License-Identifier: MIT */
/* Searches of the spaces that were recorded (docs/measurements/spaces), each of which has all its
 * configurations: how near to the fastest of them 30 runs come, and how far ahead of random
 * ones. */
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/scores.h"
#include "support/support.h"
#include "tools/cmd/tune/t4.h"

enum { SEEDS = 20 };

struct recorded {
    struct t4 t4;
    double *seconds;               /* by the number of the configuration */
    const struct qp_tried **tried; /* likewise */
};

static struct recorded read_recorded(const char *path)
{
    struct recorded recorded;
    assert_ok(t4_read(path, &recorded.t4));
    recorded.seconds = calloc((size_t)recorded.t4.space.size, sizeof *recorded.seconds);
    recorded.tried = calloc((size_t)recorded.t4.space.size, sizeof *recorded.tried);
    assert_true(recorded.seconds != NULL && recorded.tried != NULL);
    for (int k = 0; k < recorded.t4.count; k++) {
        const struct qp_tried *tried = &recorded.t4.tried[k];
        const double seconds = qp_tried_seconds(tried);
        recorded.tried[tried->configuration] = tried;
        recorded.seconds[tried->configuration] = isnan(seconds) ? 0.0 : seconds;
    }
    return recorded;
}

/* Gives the next sample that was recorded. */
static enum qp_status attempt(void *user, struct qp_tried *tried)
{
    const struct recorded *recorded = user;
    const struct qp_tried *of = recorded->tried[tried->configuration];
    tried->end = of->end;
    if (tried->count < of->count) {
        tried->samples[tried->count] = of->samples[tried->count];
        tried->count++;
    }
    return QP_OK;
}

TEST(thirty_runs_are_enough)
{
    glob_t found;
    assert_int_equal(glob(QP_SOURCE_DIR "/docs/measurements/spaces/*.json", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 2);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct recorded recorded = read_recorded(found.gl_pathv[i]);
        struct t4 *t4 = &recorded.t4;
        struct scores_space times = scores_space(&t4->space, recorded.seconds);
        struct qp_search_desc desc = {.space = &t4->space, .attempt = attempt, .user = &recorded};
        double guided, random, bare;
        assert_in_range(t4->count, 500, 700);
        assert_int_equal(t4->count, t4->space.count);
        const double part = scores_search(&times, desc, SEEDS, &guided);
        desc.strategy = QP_RANDOM;
        scores_search(&times, desc, SEEDS, &random);
        print_message("%s: %.3f of the best, score %.2f, random %.2f\n", t4->kernel, part, guided,
                      random);
        t4->space.terms = 0;
        desc.strategy = QP_GUIDED;
        print_message("without terms: %.3f", scores_search(&times, desc, SEEDS, &bare));
        print_message(" of the best, score %.2f\n", bare);
        assert_true(part >= 0.97);
        assert_true(guided >= random + 0.2);
        free(times.sorted);
        free(recorded.seconds);
        free(recorded.tried);
        t4_destroy(t4);
    }
    globfree(&found);
}
