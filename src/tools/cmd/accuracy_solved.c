/* SPDX-License-Identifier: MIT */
/* Accuracy of whole solves: distances of solutions from the exact one of the same numbers in float,
 * for a matrix that is eliminated, and for one of nine bands that is iterated. The judge is LU in
 * double by another library, corrected by residuals in twice double's digits until nothing changes:
 *
 *     plain      an elimination, or steps from 0 until a thousand of them have gained nothing
 *     refined    corrections by the variant, residuals in double on the host */
#include "tools/cmd/accuracy_lines.h"

#include <math.h>
#include <stdlib.h>

#include "lab/baseline/baseline.h"
#include "lab/engines/engines.h"
#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/ops/poisson5/accuracy.h"
#include "lab/plan/problem.h"
#include "lab/solve/residual.h"
#include "lab/solve/solvers.h"
#include "toolkit/base/status.h"
#include "tools/cmd/output/progress.h"

static const struct qp_size eliminated[] = {{4, 4}, {6, 6}, {8, 8}, {10, 10}, {0}},
                            iterated[] = {{9, 9}, {17, 17}, {33, 33}, {0}};
enum { MOST_CORRECTIONS = 60 };

struct solved {
    struct command *command;
    bool dense; /* a matrix that is eliminated */
    const char *kind;
    struct qp_problem problem;
    struct qp_market matrix;
    size_t n, sides;
    double *b, *exact, *x; /* sides columns of n values: right-hand sides, the judge's, an answer */
    double condition;
    cJSON *records;
};

/* ---- Problems ---- */

/* The values of [A | b] as they are stored, in double: A column by column, and then b. */
static enum qp_status split(struct solved *s)
{
    const size_t width = (size_t)s->problem.width, n = s->n;
    const float *values = s->problem.field[QP_GAUSS_JORDAN_AUGMENTED].values;
    s->matrix = (struct qp_market){.rows = (int)n,
                                   .columns = (int)n,
                                   .count = n * n,
                                   .dense = true,
                                   .value = qp_alloc(n * n, sizeof *s->b, "a matrix in double")};
    for (size_t k = 0; s->matrix.value != NULL && k < n * width; k++)
        *(k < n * n ? &s->matrix.value[k] : &s->b[k - n * n]) = values[k % n * width + k / n];
    /* Variants without pivoting do not refuse a matrix of a file. */
    s->problem.kind = "file";
    return s->matrix.value != NULL ? QP_OK : QP_NO_MEMORY;
}

static enum qp_status correct(struct solved *s, double *d)
{
    return s->dense ? baseline_solve_dense(&s->matrix, s->b, (int)s->sides, d, &s->condition)
                    : baseline_solve(&s->matrix, s->b, d, &s->condition);
}

/* Computes the exact solution: corrections until they are roundings of it. */
static enum qp_status judge(struct solved *s)
{
    const size_t n = s->n, all = n * s->sides;
    double *work = qp_alloc(3 * all + 2 * n, sizeof *work, "the judge's vectors");
    double *rest = work, *d = rest + all, *b = d + all, *bound = b + all, before = INFINITY;
    enum qp_status status = work != NULL ? QP_OK : QP_NO_MEMORY;
    for (size_t i = 0; status == QP_OK && i < all; i++)
        b[i] = s->b[i];
    for (int k = 0; status == QP_OK; k++) {
        double change = 0.0, most = 0.0;
        for (size_t side = 0; side < s->sides; side++)
            qp_residual_find(&s->matrix, b + side * n, NULL, s->exact + side * n, rest + side * n,
                             bound, bound + n);
        for (size_t i = 0; i < all; i++)
            s->b[i] = rest[i];
        status = correct(s, d);
        for (size_t i = 0; i < all; i++) {
            s->exact[i] += d[i];
            change = fmax(change, fabs(d[i]));
            most = fmax(most, fabs(s->exact[i]));
        }
        if (status != QP_OK || change <= 0x1p-52 * most)
            break;
        if (k == MOST_CORRECTIONS || !(change < before))
            status = qp_fail(QP_UNSUPPORTED,
                             "the judge cannot tell the exact solution of %s at %d x %d: a "
                             "condition of %.1e is too much for LU in double",
                             s->kind, s->problem.width, s->problem.height, s->condition);
        before = change;
    }
    for (size_t i = 0; work != NULL && i < all; i++)
        s->b[i] = b[i];
    free(work);
    return status;
}

static void close_problem(struct solved *s)
{
    qp_problem_destroy(&s->problem);
    qp_market_destroy(&s->matrix);
    free(s->b);
    s->b = NULL;
}

static enum qp_status open_problem(struct solved *s, const char *op, struct qp_size size)
{
    enum qp_status status =
        cmd_problem(s->command->options, op, s->kind, size.width, size.height, 1, &s->problem);
    if (status != QP_OK)
        return status;
    s->n = s->dense ? (size_t)s->problem.height : qp_problem_cells(&s->problem);
    s->sides = s->dense ? (size_t)qp_gauss_jordan_sides(&s->problem) : 1;
    const size_t all = s->n * s->sides;
    s->b = qp_alloc_zero(3 * all, sizeof *s->b, "the solutions");
    if (s->b == NULL)
        return QP_NO_MEMORY;
    s->exact = s->b + all;
    s->x = s->exact + all;
    for (size_t i = 0; i < all && !s->dense; i++)
        s->b[i] = s->problem.field[QP_JACOBI9_B].values[i];
    status = s->dense ? split(s) : baseline_matrix(&s->problem, &s->matrix);
    return status == QP_OK ? judge(s) : status;
}

/* ---- Runs ---- */

/* Takes an answer, and counts its seconds without compiling and without judging. */
static void take(struct solved *s, const double *x, double steps, double seconds,
                 const double part[QP_SOLVE_PARTS], struct accuracy_line *line)
{
    line->steps = steps;
    line->seconds = seconds - part[QP_COMPILING] - part[QP_JUDGING];
    line->error = 0.0;
    for (size_t k = 0; k < s->sides; k++) {
        const double error = qp_poisson5_distance(x + k * s->n, s->exact + k * s->n, s->n);
        line->error = isnan(error) ? INFINITY : fmax(line->error, error);
    }
}

/* Reads the answer, of the reference in double before it is rounded to float. */
static enum qp_status read_answer(struct solved *s, const struct qp_variant *variant,
                                  const struct qp_matrix *answer)
{
    const bool own = variant->recipe->engine == &qp_engine_reference;
    const enum qp_status status =
        own ? qp_problem_reference(&s->problem, 1, &cmd_interrupted) : QP_OK;
    for (size_t k = 0; status == QP_OK && k < s->n * s->sides; k++) {
        const size_t at = k % s->n * (size_t)s->problem.width + s->n + k / s->n;
        s->x[k] = own ? s->problem.reference[at] : qp_matrix_value(answer, at);
    }
    return status;
}

/* An elimination as it is, without scaling and without any probe. */
static enum qp_status eliminate(struct solved *s, const struct qp_variant *variant,
                                struct accuracy_line *line)
{
    static char reason[512];
    static const double no_parts[QP_SOLVE_PARTS];
    const struct options *options = s->command->options;
    const struct qp_walk_desc desc = {.iterations = 1,
                                      .pingpong = options->pingpong,
                                      .target = options->target,
                                      .unchecked = true,
                                      .keep_solution = true,
                                      .interrupt = &cmd_interrupted};
    struct qp_result result = {.verdict = QP_NO_VERDICT};
    enum qp_status status =
        qp_solver_check_variant(s->command->context, variant, &s->problem, options->target);
    if (status == QP_OK)
        status = qp_walk(s->command->context, variant, &s->problem, &desc, &result);
    const bool has_answer = status == QP_OK && result.solution.width > 0;
    if (has_answer)
        status = read_answer(s, variant, &result.solution);
    if (has_answer && status == QP_OK)
        take(s, s->x, 1.0, result.run_seconds, no_parts, line);
    snprintf(reason, sizeof reason, "%s", result.reason);
    line->reason = has_answer ? NULL : reason;
    qp_matrix_destroy(&result.solution);
    return status;
}

static enum qp_status refine_elimination(struct solved *s, const struct qp_variant *variant,
                                         struct accuracy_line *line)
{
    const struct options *options = s->command->options;
    const struct qp_dense_desc desc = {.variant = variant,
                                       .refine = true,
                                       .pingpong = options->pingpong,
                                       .target = options->target,
                                       .interrupt = &cmd_interrupted};
    struct qp_dense_solution got;
    const enum qp_status status =
        qp_solve_dense(s->command->context, &s->matrix, s->b, (int)s->sides, &desc, &got);
    if (status != QP_OK)
        return status;
    if (got.on_host)
        line->reason = "an elimination leaves no digit, and corrections gain none";
    else
        take(s, got.x, got.eliminations, got.seconds, got.part, line);
    qp_dense_solution_destroy(&got);
    return QP_OK;
}

/* No residual is as small as this tolerance, so steps end where they gain nothing. */
static enum qp_status iterate(struct solved *s, const struct qp_variant *variant, bool refine,
                              struct accuracy_line *line)
{
    const struct options *options = s->command->options;
    const struct qp_solve_desc desc = {.variant = variant,
                                       .weight = options->weight,
                                       .tolerance = 1e-300,
                                       .most_steps = 10000000,
                                       .refine = refine,
                                       .width = s->problem.width,
                                       .height = s->problem.height,
                                       .pingpong = options->pingpong,
                                       .target = options->target,
                                       .interrupt = &cmd_interrupted};
    struct qp_solution got;
    const enum qp_status status =
        qp_solve(s->command->context, &s->matrix, s->b, NULL, &desc, &got);
    if (status != QP_OK)
        return status;
    take(s, got.x, got.steps, got.seconds, got.part, line);
    qp_solution_destroy(&got);
    return QP_OK;
}

/* A variant's run and its line, unless an interrupt came. */
static enum qp_status measure(struct solved *s, const struct qp_variant *variant, bool refine)
{
    struct accuracy_line line = {.what = refine ? "refined" : "plain",
                                 .variant = variant->name,
                                 .problem = s->kind,
                                 .width = s->problem.width,
                                 .height = s->problem.height,
                                 .error = NAN,
                                 .condition = s->condition};
    if (s->dense)
        line.width = (int)s->n + (s->sides > 1 ? (int)s->sides : 0);
    enum qp_status status = !s->dense ? iterate(s, variant, refine, &line)
                            : refine  ? refine_elimination(s, variant, &line)
                                      : eliminate(s, variant, &line);
    if (cmd_interrupted)
        return command_unless_interrupted(status);
    if (status == QP_UNSUPPORTED || status == QP_BAD_INPUT) {
        line.reason = qp_error();
        status = QP_OK;
    }
    return status == QP_OK ? accuracy_add(s->command->options->table, s->records, &line) : status;
}

/* ---- The whole ---- */

static enum qp_status measure_sizes(struct solved *s, const struct qp_variant *const variants[],
                                    int count)
{
    const struct options *options = s->command->options;
    const struct qp_size asked[] = {{options->width, options->height}, {0}},
                         *size = options->width > 0 ? asked
                                 : s->dense         ? eliminated
                                                    : iterated;
    enum qp_status status = QP_OK;
    for (; size->width > 0 && status == QP_OK && !cmd_interrupted; size++) {
        status = open_problem(s, variants[0]->op, *size);
        for (int k = 0; k < 2 * count && status == QP_OK && !cmd_interrupted; k++) {
            progress_say("accuracy of %s, %d x %d", variants[k / 2]->name, size->width,
                         size->height);
            status = measure(s, variants[k / 2], k % 2 == 1);
        }
        close_problem(s);
    }
    return status;
}

enum qp_status accuracy_solved(struct command *command, const struct qp_variant *const variants[],
                               int count, const char *kind)
{
    const struct options *options = command->options;
    struct solved s = {.command = command,
                       .dense = qp_solver_of(variants[0])->input == QP_ANY_MATRIX,
                       .kind = kind,
                       .records = cJSON_CreateArray()};
    enum qp_status status =
        options->iterations > 0
            ? qp_fail(QP_BAD_USE, "--iterations does not go with an elimination, which has none")
            : QP_OK;
    cmd_catch_interrupt();
    if (status == QP_OK)
        status = command_open(command, variants, count);
    if (status == QP_OK) {
        accuracy_head(options->table);
        status = measure_sizes(&s, variants, count);
    }
    return accuracy_end(command, status, s.records);
}
