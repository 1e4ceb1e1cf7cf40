/* SPDX-License-Identifier: MIT */
/* Sentences that say why a method was taken, letter by letter. No OpenGL is needed here. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/solve/choose/choice.h"
#include "lab/solve/eliminate/elimination.h"

/* A choice after 200 steps of a hundredth of a second, with `to_come` steps to come, or an
 * elimination as long as `elimination` of them. */
static struct qp_choice choice_of(double to_come, double elimination)
{
    return (struct qp_choice){.may_eliminate = true,
                              .forecast = {.elimination = elimination,
                                           .step = 200,
                                           .since = 100,
                                           .to_come = to_come,
                                           .pace = 0.01}};
}

TEST(why_the_iteration_went_on)
{
    static const struct {
        double to_come, elimination;
        const char *words;
    } cases[] = {
        {99.4, 1000.0, "about 99 more, 0.99 s, and elimination would take about 10 s"},
        {104.0, 1000.0, "about 100 more, 1 s, and elimination would take about 10 s"},
        {1270.0, 1300.0, "about 1300 more, 13 s, and elimination would take about 13 s"},
        {9960.0, 2e4, "about 10000 more, 1e+02 s, and elimination would take about 2e+02 s"},
        {0.2, 100.0, "about 1 more, 0.002 s, and elimination would take about 1 s"},
        {-3.0, 100.0, "about 1 more, 0 s, and elimination would take about 1 s"}};
    char wanted[320];
    for (int k = 0; k < COUNT(cases); k++) {
        struct qp_choice m = choice_of(cases[k].to_come, cases[k].elimination);
        qp_method_reason_to_iterate(&m);
        snprintf(wanted, sizeof wanted,
                 "iteration was taken, for after 200 steps it was to need %s", cases[k].words);
        assert_string_equal(m.reason, wanted);
    }
    struct qp_choice m = choice_of(99.0, 1000.0);
    m.forecast.since = 0;
    qp_method_reason_to_iterate(&m);
    assert_string_equal(m.reason,
                        "iteration was taken, for it ended before its rate could be measured");
    m.may_eliminate = false;
    strcpy(m.obstacle, "does not fit");
    strcpy(m.objection, "900 unknowns; take fewer");
    qp_method_reason_to_iterate(&m);
    assert_string_equal(m.reason,
                        "iteration was taken, for elimination does not fit: 900 unknowns; "
                        "take fewer");
    strcpy(m.objection, "900 unknowns are too many for elimination; take fewer");
    qp_method_reason_to_iterate(&m);
    assert_string_equal(m.reason,
                        "iteration was taken, for 900 unknowns are too many for elimination");
}

TEST(why_it_was_left)
{
    struct qp_side side = {.sentence = ""};
    struct qp_choice m = choice_of(INFINITY, 1000.0);
    qp_method_reason_to_leave(&m, 5000);
    assert_string_equal(m.reason, "elimination was taken, for iteration came no nearer from step "
                                  "100 to step 200");
    m = choice_of(1234.0, 1000.0);
    qp_method_reason_to_leave(&m, 5000);
    assert_string_equal(m.reason,
                        "elimination was taken, for after 200 steps iteration was to need about "
                        "1200 more, 12 s, and elimination would take about 10 s");
    m = choice_of(990.0, 1000.0);
    qp_method_reason_to_leave(&m, 900);
    assert_string_equal(m.reason,
                        "elimination was taken, for after 200 steps iteration was to need about "
                        "990 more, and only 700 are allowed");
    m.forecast.elimination = 990.0; /* as long is not longer */
    qp_method_reason_to_leave(&m, 900);
    assert_non_null(strstr(m.reason, "and only 700 are allowed"));
    qp_method_keep_reason(&m, &side);
    assert_string_equal(side.reason, m.reason);
    static const struct {
        enum qp_ending ending;
        const char *words;
    } endings[] = {{QP_DIVERGING, "diverged"},
                   {QP_OUT_OF_STEPS, "ran out of steps"},
                   {QP_STAGNATED, "stagnated"}};
    for (int k = 0; k < COUNT(endings); k++) {
        char wanted[320];
        const struct qp_solution ended = {
            .ending = endings[k].ending, .residual = 0.25, .steps = 75};
        qp_method_reason_to_go_on(&m, &ended, "elimination");
        snprintf(wanted, sizeof wanted,
                 "elimination was taken, for iteration %s: residual 0.25 after 75 steps",
                 endings[k].words);
        assert_string_equal(m.reason, wanted);
    }
}

TEST(what_came_of_both)
{
    for (int k = 0; k < 4; k++) {
        struct qp_side side = {.residual = 0.5, .steps = 1 + k / 2};
        qp_method_tell_left(&side, k % 2 == 0);
        static const char *const wanted[] = {
            "interrupted: residual 0.5 after 1 step; this is the iterate so far",
            "stagnated: residual 0.5 after 1 step; elimination comes no nearer",
            "interrupted: residual 0.5 after 2 steps; this is the iterate so far",
            "stagnated: residual 0.5 after 2 steps; elimination comes no nearer"};
        assert_string_equal(side.sentence, wanted[k]);
        assert_int_equal(side.ending, k % 2 == 0 ? QP_INTERRUPTED : QP_STAGNATED);
    }
}

/* A forecast is made at step 100 and as steps double. Where 100 steps leave a tenth, 200 more leave
 * a hundredth. */
TEST(forecasts_double)
{
    static const struct {
        int step;
        double residual;
        int known, since; /* steps of the last look and of the one before */
    } looks[] = {{99, 1.0, 0, 0},       {100, 1e-2, 100, 0},   {199, 2e-3, 100, 0},
                 {200, 1e-3, 200, 100}, {399, 1e-4, 200, 100}, {400, 1e-3, 400, 200}};
    struct qp_forecast f = {.elimination = 200.5};
    for (int k = 0; k < COUNT(looks); k++) {
        const struct qp_progress now = {.step = looks[k].step,
                                        .most_steps = 401,
                                        .residual = looks[k].residual,
                                        .tolerance = 1e-5,
                                        .seconds = 0.5 * looks[k].step};
        qp_forecast_look(&f, &now);
        assert_true(f.step == looks[k].known && f.since == looks[k].since);
        assert_int_equal(f.leaves, looks[k].known == 400);
        if (looks[k].step == 200)
            assert_true(fabs(f.to_come - 200.0) < 1e-9 && fabs(f.pace - 0.5) < 1e-12);
    }
    assert_true(isinf(f.to_come));
}

/* A refined solve is expected to eliminate three times, and one that is not once. */
TEST(refinement_eliminates_thrice)
{
    struct qp_market a;
    double steps[2]; /* as long as an elimination */
    assert_ok(qp_market_read(QP_SOURCE_DIR "/data/gr_30_30.mtx", &a));
    for (int refine = 0; refine < 2; refine++) {
        const struct qp_solve_desc desc = {.refine = refine == 1, .tolerance = 1e-6};
        struct qp_answer got;
        int from = 0;
        double more = 0.0, iteration = 0.0, elimination = 0.0;
        assert_ok(qp_solve_system(NULL, &a, NULL, 1, NULL, &desc, &got));
        const int found = sscanf(got.side[0].reason,
                                 "iteration was taken, for after %d steps it was to need about %lg "
                                 "more, %lg s, and elimination would take about %lg s",
                                 &from, &more, &iteration, &elimination);
        assert_int_equal(found, 4);
        steps[refine] = elimination / iteration * more;
        qp_answer_destroy(&got);
    }
    assert_true(steps[1] > 2.5 * steps[0] && steps[1] < 3.6 * steps[0]);
    qp_market_destroy(&a);
}

/* Doubts are printed of sides that an iteration has solved, and of those alone, up to the largest
 * matrix that the host looks at. */
TEST(what_nobody_looked_at)
{
    static const char doubt[] =
        "; iteration cannot tell whether the matrix is singular, and nobody looked";
    for (int more = 0; more < 2; more++) {
        struct qp_side side[5] = {{.method = QP_ITERATION, .ending = QP_CONVERGED},
                                  {.method = QP_ELIMINATION, .ending = QP_CONVERGED},
                                  {.method = QP_ITERATION, .ending = QP_STAGNATED},
                                  {.method = QP_ITERATION, .ending = QP_CONVERGED},
                                  {.method = QP_ITERATION, .ending = QP_CONVERGED}};
        struct qp_answer out = {.side = side, .sides = 5, .begun = 4};
        const struct qp_choice m = {.out = &out, .n = (size_t)QP_DENSE_MOST_ON_HOST + (size_t)more};
        char wanted[200];
        for (int k = 0; k < 5; k++)
            strcpy(side[k].sentence, "it ended");
        qp_method_tell_doubt(&m);
        snprintf(wanted, sizeof wanted, "it ended%s%s", doubt, more ? ", for it is too large" : "");
        for (int k = 0; k < 5; k++)
            assert_string_equal(side[k].sentence, k == 0 || k == 3 ? wanted : "it ended");
    }
}
