/* SPDX-License-Identifier: MIT */
/* Accuracy of variants: distances from the exact discrete solution of Poisson's equation, which
 * sine transforms give:
 *
 *     stuck      where Jacobi's steps in float end, until none changes anything or always the same
 *                changes. From 0 nobody waits for that, so they start nearer: from the exact
 *                solution, made smaller by the worst floor of float
 *     steps      Chebyshev's steps from 0, enough for 15 digits: what the variant's precision can
 *                reach
 *     refined    corrections by the variant, residuals in double on the host
 *     thesis     paper 5's measure: 4096 steps on the spike, against as many of the reference in
 *                double
 *     METHOD     steps from 0 to an error of 1e-4, and of 1e-6, of the solution; variants in float
 *                are refined */
#include "tools/cmd/accuracy_lines.h"

#include <math.h>
#include <stdlib.h>

#include "lab/baseline/baseline.h"
#include "lab/ops/poisson5/accuracy.h"
#include "lab/ops/poisson5/methods.h"
#include "lab/solve/poisson/poisson.h"
#include "toolkit/base/status.h"
#include "tools/cmd/output/progress.h"

static const struct qp_size sizes[] = {{31, 31},   {63, 63},     {127, 127}, {255, 255},
                                       {511, 511}, {1023, 1023}, {0}},
                            timed_sizes[] = {{255, 255}, {1023, 1023}, {0}};
static const double wanted_errors[] = {1e-4, 1e-6};
enum { WANTED = sizeof wanted_errors / sizeof wanted_errors[0] };
static const double most_updates = 5e10; /* a longer run is computed, not made */

enum { LOOK_EVERY = 100, TIMED_STEPS = 200, MOST_TRIES = 8, MOST_THESIS_WIDTH = 127 };

struct accuracy {
    const struct options *options;
    struct qp_context *context;
    struct qp_problem problem, spike; /* the kind's, and of the same size paper 5's */
    double *exact, *u;                /* the judge's solution, an answer */
    cJSON *records;
};

static size_t cells_of(const struct accuracy *a)
{
    return (size_t)a->problem.width * (size_t)a->problem.height;
}

/* ---- Problems ---- */

static void close_problem(struct accuracy *a)
{
    qp_problem_destroy(&a->problem);
    qp_problem_destroy(&a->spike);
    free(a->exact);
    a->exact = NULL;
}

static enum qp_status open_problem(struct accuracy *a, const char *kind, struct qp_size size)
{
    const char *op = qp_op_poisson5.name;
    enum qp_status status =
        cmd_problem(a->options, op, kind, size.width, size.height, 1, &a->problem);
    if (status == QP_OK)
        status = cmd_problem(a->options, op, "spike", size.width, size.height, 1, &a->spike);
    if (status != QP_OK)
        return status;
    a->exact = qp_alloc(2 * cells_of(a), sizeof *a->exact, "the exact solution");
    if (a->exact == NULL)
        return QP_NO_MEMORY;
    a->u = a->exact + cells_of(a);
    qp_poisson_rhs(&a->problem, a->u);
    return baseline_poisson(size.width, size.height, a->u, a->exact);
}

/* A multiple of the exact solution. */
static void start_from(struct accuracy *a, double part)
{
    float *x = a->problem.field[QP_POISSON5_X].values;
    for (size_t i = 0; i < cells_of(a); i++)
        x[i] = (float)(part * a->exact[i]);
}

/* ---- Runs ---- */

/* Result of a run; error NaN if the variant cannot do it. */
struct reached {
    double error, steps, seconds;
    bool computed; /* steps by theory, seconds by their measured time */
};

/* Walks; the answer to the spike is compared with the reference, in the variant's own order, and
 * others with the exact solution. */
static enum qp_status walk(struct accuracy *a, const struct qp_variant *variant,
                           struct qp_problem *problem, const struct qp_walk_desc *desc,
                           struct reached *out)
{
    struct qp_walk_desc walk = *desc;
    struct qp_result result = {.verdict = QP_NO_VERDICT};
    walk.unchecked = problem != &a->spike;
    walk.keep_solution = true;
    walk.pingpong = a->options->pingpong;
    walk.target = a->options->target;
    walk.interrupt = &cmd_interrupted;
    *out = (struct reached){.error = NAN};
    const enum qp_status status = qp_walk(a->context, variant, problem, &walk, &result);
    const double *wanted = problem == &a->spike ? problem->reference : a->exact;
    const bool has_answer = status == QP_OK && result.solution.width > 0 && wanted != NULL;
    for (size_t i = 0; has_answer && i < cells_of(a); i++)
        a->u[i] = qp_matrix_value(&result.solution, i);
    if (has_answer)
        *out = (struct reached){.error = qp_poisson5_distance(a->u, wanted, cells_of(a)),
                                .steps = result.iterations,
                                .seconds = result.run_seconds};
    qp_matrix_destroy(&result.solution);
    return status;
}

/* Steps of a method from 0. */
static enum qp_status go(struct accuracy *a, const struct qp_variant *variant,
                         const struct qp_poisson5_method *method, double factor, double stretch,
                         struct reached *out)
{
    const struct qp_poisson5_course course =
        method->plan(&a->problem, (struct qp_poisson5_goal){factor, 1e-300});
    double *values = qp_alloc((size_t)course.cycle + 1, sizeof *values, "the steps' weights");
    const struct qp_weights weights = {values, course.cycle};
    if (values == NULL)
        return QP_NO_MEMORY;
    if (course.cycle > 0)
        method->fill(&a->problem, course.cycle, values);
    a->problem.weight = course.weight;
    start_from(a, 0.0);
    const double steps = course.cycle > 0 ? course.steps : ceil(course.steps * stretch);
    const bool is_long = steps * (double)cells_of(a) > most_updates;
    const struct qp_walk_desc desc = {.iterations = is_long ? TIMED_STEPS : (int)steps,
                                      .weights = course.cycle > 0 ? &weights : NULL};
    const enum qp_status status = walk(a, variant, &a->problem, &desc, out);
    if (status == QP_OK && is_long && out->steps > 0) {
        out->seconds *= steps / out->steps;
        *out = (struct reached){.steps = steps, .seconds = out->seconds, .computed = true};
    }
    a->problem.weight = 1.0;
    free(values);
    return status;
}

static enum qp_status refine(struct accuracy *a, const struct qp_variant *variant,
                             const char *method, double tolerance, struct reached *out)
{
    struct qp_solution got;
    const struct qp_poisson_desc desc = {.width = a->problem.width,
                                         .height = a->problem.height,
                                         .kind = a->problem.kind,
                                         .seed = a->options->seed,
                                         .variant = variant,
                                         .method = method,
                                         .tolerance = tolerance,
                                         .refine = tolerance == 0.0,
                                         .pingpong = a->options->pingpong,
                                         .target = a->options->target,
                                         .interrupt = &cmd_interrupted};
    *out = (struct reached){.error = NAN};
    const enum qp_status status = qp_solve_poisson(a->context, &desc, &got);
    if (status != QP_OK)
        return status == QP_UNSUPPORTED ? QP_OK : status;
    *out = (struct reached){.error = qp_poisson5_distance(got.x, a->exact, cells_of(a)),
                            .steps = got.steps,
                            .seconds = got.seconds};
    qp_solution_destroy(&got);
    return QP_OK;
}

/* Two looks with the same norm of a change to the last bit: steps go round in a circle, or change
 * nothing. */
static bool until_stuck(void *user, int step, double residual)
{
    double *last = user;
    const bool same = residual == *last;
    (void)step;
    *last = residual;
    return !same;
}

/* Kinds of runs. Steps without a method are the variant's own, from 0 on the spike, and else from
 * near the solution until they are stuck. */
static const struct kind {
    const char *name, *method;
    double target; /* error that the steps are for */
    double wanted; /* error of the answer; 0: any */
    bool refined, on_spike;
} kinds[] = {{"stuck", NULL, 0.0, 0.0, false, false},
             {"steps", "chebyshev", 1e-15, 0.0, false, false},
             {"refined", NULL, 0.0, 0.0, true, false},
             {"thesis", NULL, 0.0, 0.0, false, true},
             {0}};

/* Runs a kind; a method's steps that do not go in cycles are so many times as many. */
static enum qp_status run_kind(struct accuracy *a, const struct qp_variant *variant,
                               const struct kind *kind, double stretch, struct reached *out)
{
    const double e_fold = 1.0 / (1.0 - qp_poisson5_radius(&a->problem)); /* steps of Jacobi's */
    double last = NAN;
    const struct qp_walk_desc thesis = {.iterations = QP_POISSON5_THESIS_STEPS},
                              stuck = {.iterations = (int)fmin(4.0 * e_fold, 1e9),
                                       .every = LOOK_EVERY,
                                       .on_residual = until_stuck,
                                       .user = &last};
    if (kind->refined)
        return refine(a, variant, kind->method, kind->target, out);
    if (kind->method != NULL)
        return go(a, variant, qp_poisson5_method(kind->method), kind->target, stretch, out);
    if (kind->on_spike)
        return walk(a, variant, &a->spike, &thesis, out);
    start_from(a, 1.0 - qp_poisson_floor(&a->problem, false));
    return walk(a, variant, &a->problem, &stuck, out);
}

/* Variants of Jacobi's order, the first method's, take all kinds, but in double are never
 * stuck; others are refined, and take the thesis's steps. */
static bool takes_kind(const struct accuracy *a, const struct qp_variant *variant,
                       const struct kind *kind)
{
    const bool ordered =
        qp_poisson5_variant(variant->recipe)->order == qp_poisson5_methods[0].order;
    if (kind->on_spike)
        return a->problem.width <= MOST_THESIS_WIDTH && !cmd_interrupted;
    return kind->refined || (ordered && (kind->method != NULL || !qp_poisson_is_double(variant)));
}

/* ---- Lines ---- */

/* Line of a run that went well and was not interrupted; else its status. */
static enum qp_status tell(struct accuracy *a, const struct qp_variant *variant,
                           const struct kind *kind, enum qp_status status, const struct reached *r)
{
    const struct qp_problem *problem = kind->on_spike ? &a->spike : &a->problem;
    const struct accuracy_line line = {.what = kind->name,
                                       .variant = variant->name,
                                       .problem = problem->kind,
                                       .width = problem->width,
                                       .height = problem->height,
                                       .steps = r->steps,
                                       .seconds = r->seconds,
                                       .wanted = kind->wanted,
                                       .error = r->error,
                                       .computed = r->computed};
    if (status != QP_OK || cmd_interrupted)
        return status;
    return accuracy_add(a->options->table, a->records, &line);
}

static enum qp_status measure_kinds(struct accuracy *a, const struct qp_variant *variant)
{
    enum qp_status status = QP_OK;
    struct reached r;
    for (const struct kind *kind = kinds; kind->name != NULL && status == QP_OK && !cmd_interrupted;
         kind++) {
        if (!takes_kind(a, variant, kind))
            continue;
        status = run_kind(a, variant, kind, 1.0, &r);
        status = tell(a, variant, kind, status, &r);
    }
    return status;
}

/* Steps that end at the wanted error and not far below: tried with more or fewer, as the error asks
 * for. */
static enum qp_status measure_method(struct accuracy *a, const struct qp_variant *variant,
                                     const struct qp_poisson5_method *method, double wanted)
{
    const double plain = method->plan(&a->problem, (struct qp_poisson5_goal){wanted, 1e-300}).steps;
    struct kind kind = {.name = method->name,
                        .method = method->name,
                        .target = wanted,
                        .wanted = wanted,
                        .refined = !qp_poisson_is_double(variant) &&
                                   plain * (double)cells_of(a) <= most_updates};
    double stretch = 1.0;
    struct reached r = {0}, best = {.error = NAN, .steps = INFINITY};
    enum qp_status status = QP_OK;
    for (int k = 0; k < MOST_TRIES && status == QP_OK && !cmd_interrupted; k++) {
        status = run_kind(a, variant, &kind, stretch, &r);
        if (r.computed || isnan(r.error))
            best = r;
        if (status != QP_OK || r.computed || isnan(r.error))
            break;
        if (r.error <= wanted && r.steps < best.steps)
            best = r;
        if (r.error <= wanted && (method->fill != NULL || r.error > 0.8 * wanted))
            break;
        stretch *= log(wanted) / log(r.error) * (r.error > wanted ? 1.002 : 1.0);
        if (kind.refined || method->fill != NULL)
            kind.target *= 0.95 * wanted / r.error;
    }
    return tell(a, variant, &kind, status, &best);
}

/* Runs the methods that suit the variant's update order, for each wanted error. */
static enum qp_status measure_methods(struct accuracy *a, const struct qp_variant *variant)
{
    const struct qp_poisson5_method *method = qp_poisson5_methods;
    enum qp_status status = QP_OK;
    for (; method->name != NULL; method++) {
        const bool suits = method->order == qp_poisson5_variant(variant->recipe)->order;
        for (int w = 0; w < WANTED && suits && status == QP_OK && !cmd_interrupted; w++)
            status = measure_method(a, variant, method, wanted_errors[w]);
    }
    return status;
}

/* ---- The whole ---- */

static enum qp_status measure_sizes(struct accuracy *a, const struct qp_variant *const variants[],
                                    int count, bool timed)
{
    const struct options *options = a->options;
    const struct qp_size asked[] = {{options->width, options->height}, {0}},
                         *size = options->width > 0 ? asked
                                 : timed            ? timed_sizes
                                                    : sizes;
    const char *kind = options->problem != NULL ? options->problem : timed ? "field" : "sine";
    enum qp_status status = QP_OK;
    for (; size->width > 0 && status == QP_OK; size++) {
        status = open_problem(a, kind, *size);
        for (int k = 0; k < count && status == QP_OK && !cmd_interrupted; k++) {
            if (!qp_poisson_has_method(variants[k]))
                continue;
            progress_say("accuracy of %s, %d x %d", variants[k]->name, size->width, size->height);
            status = (timed ? measure_methods : measure_kinds)(a, variants[k]);
        }
        close_problem(a);
    }
    return status;
}

/* Refuses --iterations and --weight, which have no meaning here. */
static enum qp_status refuse_options(const struct options *options)
{
    if (options->iterations > 0 || options->weight > 0.0)
        return qp_fail(QP_BAD_USE,
                       "%s does not go with these variants: their methods choose steps and weights",
                       options->iterations > 0 ? "--iterations" : "--weight");
    return QP_OK;
}

enum qp_status accuracy_poisson(struct command *command, const struct qp_variant *const variants[],
                                int count)
{
    const struct options *options = command->options;
    struct accuracy a = {.options = options, .records = cJSON_CreateArray()};
    enum qp_status status = refuse_options(options);
    cmd_catch_interrupt();
    if (status == QP_OK)
        status = command_open(command, variants, count);
    a.context = command->context;
    if (status == QP_OK)
        accuracy_head(options->table);
    if (status == QP_OK)
        status = measure_sizes(&a, variants, count, false);
    if (status == QP_OK && !cmd_interrupted)
        fputs("\nto an error relative to the solution\n", options->table);
    if (status == QP_OK && !cmd_interrupted)
        status = measure_sizes(&a, variants, count, true);
    return accuracy_end(command, status, a.records);
}
