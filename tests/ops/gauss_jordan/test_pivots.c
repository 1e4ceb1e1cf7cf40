/* SPDX-License-Identifier: MIT */
/* Variants that pivot exchange the rows that LAPACK exchanges, wherever candidates differ so much
 * that rounding cannot choose between them; all variants can log what they divided by. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/baseline/baseline.h"
#include "lab/ops/gauss_jordan/columns.h"
#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/plan/plan.h"

enum { MOST = 70 };

/* The log, as it is in the plan after readback. */
struct log {
    int unknowns;
    struct qp_pivot pivot[MOST];
};

static void take_log(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    struct log *log = user;
    (void)seconds;
    if (stage != QP_STAGE_READBACK)
        return;
    assert_non_null(qp_gauss_jordan_pivots(plan));
    memcpy(log->pivot, qp_gauss_jordan_pivots(plan), (size_t)log->unknowns * sizeof *log->pivot);
}

static bool logs(const struct qp_variant *variant)
{
    return strcmp(variant->op, "gauss_jordan") == 0 && variant->backend != QP_CPU &&
           !variant->recipe->bound;
}

static bool pivots(const struct qp_variant *variant)
{
    return logs(variant) && (variant->recipe->not_kinds >> QP_MATRIX_GENERAL & 1) == 0;
}

/* False where the variant cannot run here. */
static bool walk(void **state, const struct qp_variant *variant, struct qp_problem *problem,
                 int steps, struct log *log)
{
    const struct qp_walk_desc desc = {
        .iterations = steps, .on_stage = take_log, .user = log, .log_pivots = true};
    struct qp_result result;
    log->unknowns = qp_gauss_jordan_unknowns(problem);
    assert_in_range(log->unknowns, 1, MOST);
    assert_ok(qp_walk(support_need_context(state), variant, problem, &desc, &result));
    if (result.verdict == QP_FAIL)
        fail_msg("%s: %s", variant->name, result.reason);
    return result.verdict == QP_PASS;
}

static struct qp_problem make(const char *kind, int unknowns, int seed, int systems)
{
    const struct qp_problem_desc desc = {.op = "gauss_jordan",
                                         .kind = kind,
                                         .width = unknowns,
                                         .height = unknowns,
                                         .systems = systems,
                                         .seed = (unsigned)seed};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

/* ---- LAPACK's order ---- */

/* Gaussian elimination in double, column by column, with the row exchanges of the log. */
struct judge {
    int n;
    double a[MOST][MOST];
};

/* The two largest candidates of column k, which says whether rounding may choose between them. */
static bool is_clear(const struct judge *judge, int k)
{
    double first = 0.0, second = 0.0;
    for (int i = k; i < judge->n; i++) {
        const double value = fabs(judge->a[i][k]);
        second = fmax(second, fmin(value, first));
        first = fmax(first, value);
    }
    return first - second > 1e-3 * first;
}

static void eliminate(struct judge *judge, int k, int pivot)
{
    double row[MOST];
    memcpy(row, judge->a[k], sizeof row);
    memcpy(judge->a[k], judge->a[pivot], sizeof row);
    memcpy(judge->a[pivot], row, sizeof row);
    for (int i = k + 1; i < judge->n; i++) {
        const double factor = judge->a[i][k] / judge->a[k][k];
        for (int j = k; j < judge->n; j++)
            judge->a[i][j] -= factor * judge->a[k][j];
    }
}

/* Column by column until candidates are too near to each other and the orders part; returns how
 * many columns were compared. */
static int compare(const char *name, const struct qp_problem *problem, const struct log *log,
                   const int *lapack)
{
    struct judge judge = {.n = log->unknowns};
    for (int i = 0; i < judge.n * judge.n; i++)
        judge.a[i / judge.n][i % judge.n] = problem->field[QP_GAUSS_JORDAN_AUGMENTED]
                                                .values[i / judge.n * problem->width + i % judge.n];
    for (int k = 0; k < judge.n; k++) {
        if (log->pivot[k].row != lapack[k]) {
            if (is_clear(&judge, k))
                fail_msg("%s, '%s', %d unknowns: column %d has its pivot in row %d, LAPACK in %d",
                         name, problem->kind, judge.n, k, log->pivot[k].row, lapack[k]);
            return k;
        }
        eliminate(&judge, k, lapack[k]);
    }
    return judge.n;
}

CLEAN_TEST(order_is_lapacks)
{
    static const struct {
        const char *kind;
        bool exact; /* no number is rounded, so equal candidates are equal, and the first counts */
    } kinds[] = {{"general", false}, {"orthogonal", false}, {"ill", false},
                 {"permuted", true}, {"wilkinson", true},   {"dominant", false}};
    static const int sizes[] = {1, 2, 5, 17, 20, 67};
    int rows = 0, compared = 0, all = 0;
    for (size_t i = 0; i < 6 * sizeof kinds / sizeof kinds[0]; i++) {
        const int n = sizes[i % 6], most = kinds[i / 6].exact && n > 20 ? 20 : n;
        struct qp_problem problem = make(kinds[i / 6].kind, most, (int)i, 1);
        int lapack[MOST];
        if (baseline_pivots(&problem, lapack) != QP_OK) {
            qp_problem_destroy(&problem);
            support_assert_sentence("built without LAPACK");
            support_skip("blas");
        }
        for (size_t v = 0; v < qp_variant_count(); v++) {
            const struct qp_variant *variant = qp_variant_at(v);
            struct log log;
            if (!pivots(variant) || !walk(state, variant, &problem, 1, &log))
                continue;
            const int columns = compare(variant->name, &problem, &log, lapack);
            if (kinds[i / 6].exact)
                assert_int_equal(columns, most);
            compared += columns;
            all += most;
            rows++;
        }
        qp_problem_destroy(&problem);
    }
    assert_true(rows >= 36 * 2);
    assert_true(compared >= all - all / 10); /* hardly any order parts */
}

/* ---- The log ---- */

/* Without pivoting row k's own element; the same after one elimination and after two. Pivots of a
 * dominant matrix are its diagonal in order, as double computes it. */
CLEAN_TEST(every_row_logs)
{
    enum { N = 13 };
    int rows = 0;
    for (size_t v = 0; v < qp_variant_count(); v++) {
        const struct qp_variant *variant = qp_variant_at(v);
        struct log log[2];
        if (!logs(variant))
            continue;
        struct qp_problem problem = make("dominant", N, 3, qp_variant_systems(variant));
        struct judge judge = {.n = N};
        for (int i = 0; i < N * N; i++)
            judge.a[i / N][i % N] =
                problem.field[QP_GAUSS_JORDAN_AUGMENTED].values[i / N * problem.width + i % N];
        if (walk(state, variant, &problem, 1, &log[0]) &&
            walk(state, variant, &problem, 2, &log[1])) {
            const double away = qp_format_bytes(variant->recipe->state.format) == 2 ? 0.05 : 1e-4;
            for (int k = 0; k < N && !pivots(variant); k++) {
                assert_int_equal(log[0].pivot[k].row, k);
                assert_true(fabs(log[0].pivot[k].value - judge.a[k][k]) <=
                            away * fabs(judge.a[k][k]));
                eliminate(&judge, k, k);
            }
            assert_memory_equal(log[0].pivot, log[1].pivot, N * sizeof log->pivot[0]);
            rows++;
        }
        qp_problem_destroy(&problem);
    }
    assert_true(rows >= 7);
}

/* ---- Without a log ---- */

/* Finding the column's name takes one more elimination, and only after a failed answer. */
static void expect_name(struct qp_context *context, const struct qp_variant *variant,
                        struct qp_problem *problem, const char *words)
{
    const struct qp_walk_desc desc = {.iterations = 1};
    struct qp_result result;
    assert_ok(qp_walk(context, variant, problem, &desc, &result));
    if (result.verdict == QP_SKIP)
        return;
    if (result.verdict != QP_FAIL || strstr(result.reason, words) == NULL)
        fail_msg("%s: %s, %s", variant->name, qp_verdict_name(result.verdict), result.reason);
    assert_int_equal(result.cause, QP_BAD_INPUT);
}

/* Columns without a pivot, and with one far too small, are named by all variants that draw,
 * whatever comes after them; where rows can be exchanged they must be. */
CLEAN_TEST(small_pivots_are_named)
{
    enum { N = 9, BAD = 4 };
    static const float smallest[] = {0.0f, 1e-12f};
    struct qp_context *context = support_need_context(state);
    int rows = 0;
    for (size_t v = 0; v < 2 * qp_variant_count(); v++) {
        const struct qp_variant *variant = qp_variant_at(v / 2);
        if (qp_elimination_of(variant->recipe) == NULL || variant->recipe->bound)
            continue;
        struct qp_problem problem = make("dominant", N, 3, qp_variant_systems(variant));
        float *a = problem.field[QP_GAUSS_JORDAN_AUGMENTED].values;
        for (int i = 0; i < N * N; i++) /* L U with a small pivot in U, above which all is zero */
            a[i / N * problem.width + i % N] = i / N == i % N ? 1.0f : i / N > i % N ? 0.5f : 0.0f;
        a[BAD * problem.width + BAD] = smallest[v % 2];
        a[BAD * problem.width + BAD + 1] = a[(BAD + 1) * problem.width + BAD] = 1.0f;
        if (!pivots(variant))
            expect_name(context, variant, &problem, "the pivot of column 5 is ");
        for (int i = 0; i < N; i++)
            a[i * problem.width + BAD] = 0.0f;
        if (pivots(variant))
            expect_name(context, variant, &problem,
                        "column 5 has no pivot: the matrix is singular");
        rows++;
        qp_problem_destroy(&problem);
    }
    assert_true(rows >= 2 * 20);
}

GROUP(support_open_context, support_close_context)
