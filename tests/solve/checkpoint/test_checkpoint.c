/* SPDX-License-Identifier: MIT */
/* Checkpoints: a solve in pieces is the solve in one, bit for bit. */
#include "support/stops.h"
#include "support/threads.h"

#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/solve/choose/choice.h"

static char folder[] = "/tmp/quadpass-checkpoint-XXXXXX", file[64];
static struct qp_market laplace;
static double load[1800]; /* two right-hand sides */

static int prepare(void **state)
{
    threads_one(state);
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(file, sizeof file, "%s/c.qpc", folder);
    for (int i = 0; i < 1800; i++)
        load[i] = i % 11 - 4.0 + 0.25 * (i % 7);
    return qp_market_read(QP_SOURCE_DIR "/data/gr_30_30.mtx", &laplace) == QP_OK &&
                   support_open_context(state) == 0
               ? 0
               : -1;
}

static int clean_up(void **state)
{
    qp_market_destroy(&laplace);
    unlink(file);
    return rmdir(folder) == 0 && support_close_context(state) == 0 ? 0 : -1;
}

/* ---- In pieces as in one ---- */

/* Result of a solve. */
struct outcome {
    double *x;
    size_t count;
    int steps, rounds;
    double seconds;
    enum qp_ending ending;
    char reason[320]; /* without its times */
};

/* A solve, with its description's last members replaced. */
struct solve {
    const char *name, *variant;
    void (*run)(const struct solve *solve, const char *checkpoint, const char *resume,
                struct outcome *out);
    bool refine;
    double tolerance;
    int size; /* size of Poisson's equation */
    const char *method, *kind;
    double weight;
    bool in_double, draws;
    int most_steps;
};

static struct qp_context *device;

static const struct qp_variant *row_of(const struct solve *solve)
{
    return solve->variant != NULL ? qp_variant_find(solve->variant) : NULL;
}

static bool dawdles; /* the first look takes PAUSE microseconds */
enum { PAUSE = 3000 };
static int last_round;

static void look(void *user, const struct qp_progress *progress)
{
    if (dawdles)
        usleep(PAUSE);
    dawdles = false;
    last_round = progress->round;
    stops_look(user, progress);
}

static struct qp_solve_desc describe(const struct solve *solve, const char *checkpoint,
                                     const char *resume)
{
    return (struct qp_solve_desc){.variant = row_of(solve),
                                  .tolerance = solve->tolerance,
                                  .weight = solve->weight,
                                  .refine = solve->refine,
                                  .most_steps = solve->most_steps,
                                  .interrupt = &stop,
                                  .on_progress = look,
                                  .checkpoint = checkpoint,
                                  .every = 1e9,
                                  .resume = resume};
}

static void keep(double *x, size_t count, int steps, enum qp_ending ending, struct outcome *out)
{
    *out = (struct outcome){.x = x, .count = count, .steps = steps, .ending = ending};
}

static void iterate(const struct solve *solve, const char *checkpoint, const char *resume,
                    struct outcome *out)
{
    struct qp_solution got;
    const struct qp_solve_desc desc = describe(solve, checkpoint, resume);
    assert_ok(qp_solve(solve->draws ? device : NULL, &laplace, load, NULL, &desc, &got));
    assert_true((resume != NULL) == (strstr(got.sentence, "; it went on from ") != NULL));
    keep(got.x, 900, got.steps, got.ending, out);
    out->rounds = last_round;
    out->seconds = got.seconds;
}

/* Two sides; the ending is the worse one. */
static void choose(const struct solve *solve, const char *checkpoint, const char *resume,
                   struct outcome *out)
{
    struct qp_answer got;
    const struct qp_solve_desc desc = describe(solve, checkpoint, resume);
    assert_ok(qp_solve_system(NULL, &laplace, load, 2, NULL, &desc, &got));
    keep(got.x, 1800, got.side[0].steps + got.side[1].steps,
         got.begun < 2 ? QP_INTERRUPTED : got.side[got.worst].ending, out);
    out->rounds = got.side[0].eliminations + got.side[1].eliminations;
    out->seconds = got.side[0].seconds + got.side[1].seconds;
    snprintf(out->reason, sizeof out->reason, "%s", got.side[0].reason);
    out->reason[strcspn(out->reason, ".")] = '\0';
    got.x = NULL;
    qp_answer_destroy(&got);
}

/* The kind `sine` is an eigenvector on a square only. */
static int height_of(const struct solve *solve)
{
    return solve->kind != NULL ? solve->size : solve->size - 3;
}

static void poisson(const struct solve *solve, const char *checkpoint, const char *resume,
                    struct outcome *out)
{
    struct qp_solution got;
    const struct qp_poisson_desc desc = {.width = solve->size,
                                         .height = height_of(solve),
                                         .kind = solve->kind,
                                         .seed = 3,
                                         .variant = row_of(solve),
                                         .method = solve->method,
                                         .in_double = solve->in_double,
                                         .refine = solve->refine,
                                         .tolerance = solve->tolerance,
                                         .most_steps = solve->most_steps,
                                         .interrupt = &stop,
                                         .on_progress = look,
                                         .checkpoint = checkpoint,
                                         .every = 1e9,
                                         .resume = resume};
    assert_ok(qp_solve_poisson(solve->draws ? device : NULL, &desc, &got));
    keep(got.x, (size_t)solve->size * (size_t)height_of(solve), got.steps, got.ending, out);
    out->rounds = got.rounds;
    out->seconds = got.seconds;
}

static const struct solve solves[] = {
    {.name = "plain", .run = iterate, .variant = "jacobi9/openmp", .tolerance = 1e-4},
    {.name = "refined", .run = iterate, .variant = "jacobi9/openmp", .refine = true},
    /* It ends 1000 steps after its least residual. */
    {.name = "stagnating",
     .run = iterate,
     .variant = "jacobi9/openmp",
     .tolerance = 1e-12,
     .weight = 1.1},
    {.name = "out of steps",
     .run = iterate,
     .variant = "jacobi9/openmp",
     .tolerance = 1e-6,
     .most_steps = 1010},
    {.name = "double", .run = iterate, .variant = "jacobi9/reference", .tolerance = 1e-4},
    {.name = "systems",
     .run = iterate,
     .variant = "jacobi9/bands_systems",
     .tolerance = 1e-3,
     .draws = true},
    {.name = "drawn", .run = iterate, .variant = "jacobi9/rgba", .refine = true, .draws = true},
    {.name = "chosen", .run = choose, .refine = true},
    {.name = "by name", .run = choose, .variant = "jacobi9/openmp", .tolerance = 1e-4},
    {.name = "jacobi", .run = poisson, .size = 30, .method = "jacobi", .tolerance = 1e-4},
    {.name = "sor", .run = poisson, .size = 63, .method = "sor", .refine = true},
    /* A round of it ends 1000 steps after its least residual. */
    {.name = "sor, stagnating",
     .run = poisson,
     .size = 20,
     .kind = "sine",
     .method = "sor",
     .refine = true},
    {.name = "chebyshev", .run = poisson, .size = 90, .method = "chebyshev", .tolerance = 1e-8},
    {.name = "chebyshev in double",
     .run = poisson,
     .size = 90,
     .method = "chebyshev",
     .in_double = true,
     .tolerance = 1e-8},
    {.name = "poisson's reference",
     .run = poisson,
     .size = 60,
     .variant = "poisson5/reference",
     .method = "chebyshev",
     .tolerance = 1e-8},
    {.name = "chebyshev, drawn",
     .run = poisson,
     .size = 90,
     .variant = "poisson5/rgba",
     .method = "chebyshev",
     .tolerance = 1e-8,
     .draws = true},
};

static void check_same(const struct outcome *one, const struct outcome *two, const char *name)
{
    if (one->count != two->count || memcmp(one->x, two->x, one->count * sizeof *one->x) != 0)
        fail_msg("%s: other bits, after %d steps where there were %d", name, two->steps,
                 one->steps);
    if (one->steps != two->steps || one->rounds != two->rounds || one->ending != two->ending)
        fail_msg("%s: %d steps in %d rounds where there were %d in %d", name, two->steps,
                 two->rounds, one->steps, one->rounds);
    assert_string_equal(one->reason, two->reason);
}

/* A run that is interrupted again and again, at every `pace`-th look, from what it has left. The
 * time of a piece counts in all that follow. */
static int run_in_pieces(const struct solve *solve, int pace, struct outcome *out)
{
    int pieces = 0;
    bool goes_on = true;
    unlink(file);
    dawdles = true;
    while (goes_on) {
        stops_start(pace);
        solve->run(solve, file, pieces > 0 ? file : NULL, out);
        if (out->seconds < 1e-6 * PAUSE)
            fail_msg("%s: %g s up to the end of piece %d", solve->name, out->seconds, pieces);
        goes_on = stop != 0 && access(file, F_OK) == 0 && ++pieces < 100;
        if (goes_on)
            free(out->x);
    }
    return pieces;
}

TEST(solves_in_pieces_are_those_in_one)
{
    device = *state;
    for (int k = 0; k < COUNT(solves); k++) {
        const struct solve *solve = &solves[k];
        struct outcome one, pieces;
        if (solve->draws && device == NULL)
            continue;
        stops_start(0);
        solve->run(solve, NULL, NULL, &one);
        assert_int_not_equal(one.ending, QP_INTERRUPTED);
        const int all = stops_looks;
        int times = support_takes_long() ? 9 : 3;
        while (times * (times - 1) > all) /* too few looks for `times` pieces of one length */
            times--;
        assert_true(times >= 3);
        const int count = run_in_pieces(solve, all / times + 1, &pieces);
        if (count < times - 1)
            fail_msg("%s: %d pieces at each %d of %d looks", solve->name, count, all / times + 1,
                     all);
        check_same(&one, &pieces, solve->name);
        free(one.x);
        free(pieces.x);
    }
}

/* A file has the sums of the pairs, and the sentence says so. */
TEST(pairs_say_what_a_file_lacks)
{
    struct qp_solution got;
    struct qp_poisson_desc desc = {.width = 30,
                                   .height = 30,
                                   .variant = qp_variant_find("poisson5/double_single"),
                                   .interrupt = &stop,
                                   .on_progress = stops_look,
                                   .checkpoint = file};
    struct qp_context *context = support_need_context(state);
    unlink(file);
    stops_start(2);
    const enum qp_status status = qp_solve_poisson(context, &desc, &got);
    if (status == QP_UNSUPPORTED)
        return;
    assert_ok(status);
    qp_solution_destroy(&got);
    stops_start(0);
    desc.resume = file;
    assert_ok(qp_solve_poisson(context, &desc, &got));
    assert_int_equal(got.ending, QP_CONVERGED);
    assert_non_null(strstr(got.sentence, "which holds the sums of pairs of floats, so that last"));
    qp_solution_destroy(&got);
}

static struct qp_side a_side(int k)
{
    struct qp_side side = {.method = QP_ELIMINATION,
                           .ending = QP_STAGNATED,
                           .variant = qp_variant_find("gauss_jordan/loop"),
                           .steps = 3 + k,
                           .eliminations = 5 + k,
                           .residual = 0.25 + k,
                           .condition = 7.5 + k,
                           .digits = 4 + k,
                           .seconds = 1.5 + k};
    snprintf(side.reason, sizeof side.reason, "for reason %d", k);
    snprintf(side.sentence, sizeof side.sentence, "sentence %d", k);
    return side;
}

static void assert_same_side(const struct qp_side *a, const struct qp_side *b)
{
    assert_true(a->method == b->method && a->ending == b->ending && a->variant == b->variant);
    assert_true(a->steps == b->steps && a->eliminations == b->eliminations);
    assert_true(a->residual == b->residual && a->condition == b->condition);
    assert_true(a->digits == b->digits && a->seconds == b->seconds);
    assert_string_equal(a->reason, b->reason);
    assert_string_equal(a->sentence, b->sentence);
}

/* All that is known of each side comes back, and where it goes on. A side that is not among them is
 * refused. */
TEST(every_side_is_kept)
{
    static const int wrong[][2] = {{0, 0}, {3, 2}, {-1, 0}, {4, 2}, {3, -1}, {3, 3}};
    for (int c = 0; c < COUNT(wrong); c++) {
        struct qp_archive archive = {0};
        struct qp_side side[2][3] = {{a_side(1), a_side(2), a_side(3)}};
        double x[2][6] = {{1, 2, 3, 4, 5, 6}};
        struct qp_answer out[2] = {{.sides = 3, .begun = wrong[c][0], .weight = 0.75},
                                   {.sides = 3}};
        struct qp_choice m[2] = {{.at = wrong[c][1],
                                  .may_eliminate = true,
                                  .leaves = true,
                                  .regular = true,
                                  .obstacle = "does not fit",
                                  .objection = "it is large",
                                  .reason = "a reason",
                                  .forecast = {1.5, 2, 3.5, 4.5, 5, 6.5, 7.5, true}}};
        for (int k = 0; k < 2; k++) {
            out[k].side = side[k];
            out[k].x = x[k];
            m[k].out = &out[k];
            m[k].n = 2;
            archive.reads = k == 1;
            qp_method_store(&archive, &m[k]);
            assert_int_equal(archive.failed, c > 1);
            if (archive.failed)
                break;
        }
        free(archive.bytes);
        if (c > 1)
            continue;
        for (int k = 0; k < 3; k++)
            assert_same_side(&side[0][k], &side[1][k]);
        assert_memory_equal(x[0], x[1], sizeof x[0]);
        assert_true(out[1].begun == out[0].begun && m[1].at == m[0].at && out[1].weight == 0.75);
        assert_true(m[1].may_eliminate && m[1].leaves && m[1].regular);
        assert_string_equal(m[1].obstacle, "does not fit");
        assert_string_equal(m[1].objection, "it is large");
        assert_string_equal(m[1].reason, "a reason");
        const struct qp_forecast *f = &m[1].forecast;
        assert_true(f->elimination == 1.5 && f->step == 2 && f->residual == 3.5 && f->leaves);
        assert_true(f->seconds == 4.5 && f->since == 5 && f->to_come == 6.5 && f->pace == 7.5);
    }
}

/* Without --every one is due after a minute. */
TEST(a_minute_is_usual)
{
    struct qp_checkpoint checkpoint;
    assert_ok(qp_checkpoint_make("c.qpc", 0.0, NULL, NULL, &checkpoint));
    checkpoint.last -= 50.0;
    assert_false(qp_checkpoint_is_due(&checkpoint));
    checkpoint.last -= 10.0;
    assert_true(qp_checkpoint_is_due(&checkpoint));
    qp_checkpoint_close(&checkpoint);
}

GROUP(prepare, clean_up)
