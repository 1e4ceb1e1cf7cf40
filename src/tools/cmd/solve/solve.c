/* SPDX-License-Identifier: MIT */
#include "tools/cmd/cmd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lab/baseline/baseline.h"
#include "lab/solve/iterate/sparse.h"
#include "lab/solve/solvers.h"
#include "toolkit/base/nearest.h"
#include "toolkit/base/status.h"
#include "tools/cmd/output/grid.h"
#include "tools/cmd/output/picture.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/output/split.h"
#include "tools/cmd/ranks.h"
#include "tools/cmd/solve/system.h"

/* Refuses options for steps from a start, which elimination does not take. */
static enum qp_status refuse_options(const struct options *options)
{
    const char *name = system_given(
        (const struct system_option[]){{options->start != NULL, "--x0"},
                                       {options->weight > 0.0, "--weight"},
                                       {options->max_iterations > 0, "--max-iterations"},
                                       {options->iterations > 0, "--iterations"},
                                       {0}});
    return name == NULL
               ? QP_OK
               : qp_fail(QP_BAD_USE, "%s belongs to iterations, and %s eliminates; leave it out",
                         name, options->variant != NULL ? options->variant : options->method);
}

/* Refuses a picture of unknowns without a grid. */
static enum qp_status refuse_picture(const struct options *options, const struct system *system)
{
    if (options->picture == NULL || options->grid_width > 0 || qp_problem_has_grid(&system->a))
        return QP_OK;
    return qp_fail(QP_BAD_USE,
                   "--picture shows a solution on its grid, and this matrix fits none; name one by "
                   "--grid WxH and --variant %s, or leave it out",
                   qp_solver_for(QP_ANY_MATRIX)->advised);
}

static struct qp_solve_desc describe(const struct options *options,
                                     const struct qp_variant *variant)
{
    return (struct qp_solve_desc){
        .variant = variant,
        .method = options->method,
        .precondition = options->precondition,
        .direct = baseline_direct(),
        .weight = options->weight,
        .tolerance = options->tolerance,
        .most_steps = options->max_iterations > 0 ? options->max_iterations : options->iterations,
        .refine = options->refine,
        .width = options->grid_width,
        .height = options->grid_height,
        .pingpong = options->pingpong,
        .target = options->target,
        .parts = options->parts,
        .interrupt = &cmd_interrupted,
        .on_progress = progress_draw,
        .checkpoint = options->checkpoint,
        .every = options->every,
        .resume = options->resume};
}

static enum qp_status write_outputs(const struct options *options, struct qp_context *context,
                                    const struct qp_answer *answer)
{
    enum qp_status status = QP_OK;
    progress_say("writing %d x %d values", answer->rows, answer->sides);
    if (options->output != NULL)
        status = grid_write_columns(options->output, answer->rows, answer->sides, answer->x);
    if (status == QP_OK)
        status = system_write_picture(options, answer->width, answer->height, answer->x);
    if (status == QP_OK)
        status = solve_write_records(options, context, answer->side, answer->begun);
    return status;
}

/* Prints the result of each column, where they are few enough to be read. */
static void report_columns(FILE *table, const struct qp_answer *answer)
{
    enum { MOST = 32 };
    fprintf(table, "%d of %d columns converged", answer->converged, answer->sides);
    if (answer->begun < answer->sides)
        fprintf(table, ", %d not begun", answer->sides - answer->begun);
    fprintf(table, "; the worst is column %d (of %d, counted from 1)\n", answer->worst + 1,
            answer->sides);
    if (answer->begun > MOST)
        fprintf(table, "--json reports the residual of each\n");
    for (int k = 0; k < answer->begun && answer->begun <= MOST; k++) {
        const struct qp_side *side = &answer->side[k];
        fprintf(table, "  column %-2d  %-12s residual %-9.3g %d step%s, %d elimination%s\n", k + 1,
                qp_ending_name(side->ending), side->residual, side->steps,
                side->steps == 1 ? "" : "s", side->eliminations,
                side->eliminations == 1 ? "" : "s");
    }
}

static void report(const struct options *options, const struct qp_context *context,
                   const struct qp_answer *answer)
{
    FILE *table = options->table;
    const struct qp_side *worst = &answer->side[answer->worst];
    const char *layout = system_layout(worst->variant);
    if (layout != NULL)
        fprintf(table, "%s with %d unknown%s, layout %s\n", worst->solver, answer->rows,
                answer->rows > 1 ? "s" : "", layout);
    else if (worst->variant == NULL)
        fprintf(table, "%s on the host, with %d unknown%s\n", worst->solver, answer->rows,
                answer->rows > 1 ? "s" : "");
    else if (worst->method == QP_ELIMINATION ||
             qp_solver_of(worst->variant)->input != QP_NINE_BANDS)
        fprintf(table, "%s with %d unknown%s%s%s\n", worst->variant->name, answer->rows,
                answer->rows > 1 ? "s" : "", worst->solver != NULL ? ", " : "",
                worst->solver != NULL ? worst->solver : "");
    else if (answer->weight > 0.0)
        fprintf(table, "%s on a grid of %d x %d, weight %.4g\n", worst->variant->name,
                answer->width, answer->height, answer->weight);
    else
        fprintf(table, "%s on a grid of %d x %d\n", worst->variant->name, answer->width,
                answer->height);
    if (worst->variant != NULL)
        split_tell(table, context, worst->variant, &options->parts);
    if (options->variant == NULL && options->method == NULL)
        fprintf(table, "%s\n", worst->reason);
    if (answer->sides > 1)
        report_columns(table, answer);
    system_tell_seconds(table, worst->seconds, worst->part);
    fprintf(table, "%s\n", worst->sentence);
}

/* Entries near the diagonal, as of a mesh in the plane, fill little in: CHOLMOD takes some 3e-7
 * seconds an unknown with its reading, and a guess above that is made. */
static void tell_quicker(const struct qp_market *a, const struct qp_answer *answer)
{
    const double width = 4.0 * sqrt((double)a->rows);
    int farthest = 0;
    for (size_t k = 0; k < a->count && !a->dense; k++) {
        const int distance = abs(a->row[k] - a->column[k]);
        farthest = distance > farthest ? distance : farthest;
    }
    if (!a->dense && farthest <= width && answer->side[answer->worst].variant != NULL)
        system_tell_quicker(answer->side[answer->worst].seconds, 1e-6 * a->rows,
                            "a sparse direct solver (CHOLMOD, UMFPACK)");
}

/* Solves, writes and reports. */
static enum qp_status solve(struct command *command, const struct system *system,
                            const struct qp_variant *variant)
{
    struct options *options = command->options;
    struct qp_answer answer = {0};
    struct qp_solve_desc desc = describe(options, variant);
    enum qp_status status =
        qp_solver_of(variant)->input == QP_ANY_MATRIX || qp_asks_for_direct(&desc)
            ? refuse_options(options)
            : QP_OK;
    if (status == QP_OK)
        status = refuse_picture(options, system);
    if (status == QP_OK)
        status = system_open(command, variant);
    struct qp_context *context = command->context;
    if (status == QP_OK && variant != NULL)
        system_tune(options, context, variant, options->grid_height);
    desc = describe(options, variant); /* as tuned */
    progress_say("solving for %d unknowns", system->a.rows);
    if (status == QP_OK)
        status = qp_solve_system(context, &system->a, system->b.value, system_columns(system),
                                 system->start.value, &desc, &answer);
    progress_end();
    const bool written = status == QP_OK && (answer.converged > 0 ||
                                             system_has_moved(answer.x, answer.rows, answer.sides,
                                                              system->start.value));
    if (written)
        status = write_outputs(options, context, &answer);
    progress_end();
    if (status == QP_OK)
        report(options, context, &answer);
    if (status == QP_OK)
        tell_quicker(&system->a, &answer);
    if (status == QP_OK && !written && system_writes(options))
        fputs("nothing is written: x is where it began\n", options->table);
    command->code = answer.converged == answer.sides ? EXIT_GOOD : EXIT_FAILED;
    qp_answer_destroy(&answer);
    return status;
}

/* Refuses options for problems that are made here. */
static enum qp_status refuse_made(const struct options *options)
{
    const struct system_option others[] = {{options->width > 0, "--size"},
                                           {options->problem != NULL, "--problem"},
                                           {options->in_double, "--double"},
                                           {options->seed_given, "--seed"},
                                           {0}};
    const char *name = system_given(others), *made = qp_solver_for(QP_RIGHT_SIDE)->op->name;
    struct stat found;
    if (options->rhs != NULL && !system_takes_ones(options))
        return qp_fail(QP_BAD_USE,
                       "--rhs takes ones with a matrix from a file, not '%s'; name a file of "
                       "right-hand sides after the matrix: quadpass solve A.mtx b.mtx",
                       options->rhs);
    if (name != NULL && options->word_count > 0 && stat(options->words[0], &found) != 0 &&
        qp_nearest(options->words[0], &made, 1) != NULL)
        return qp_fail(QP_BAD_USE, "there is no file '%s'; did you mean '%s'?", options->words[0],
                       made);
    return name == NULL ? QP_OK
                        : qp_fail(QP_BAD_USE,
                                  "%s belongs to 'quadpass solve %s', and not to a matrix from a "
                                  "file",
                                  name, made);
}

/* True for an operation's name in place of a file; a file of that name is asked for with its
 * folder. */
static bool is_right_side(const struct options *options)
{
    return options->word_count > 0 &&
           strcmp(options->words[0], qp_solver_for(QP_RIGHT_SIDE)->op->name) == 0;
}

enum qp_status cmd_solve(struct options *options, struct command *command)
{
    cmd_catch_interrupt();
    struct system system = {0};
    const struct qp_variant *variant = NULL;
    const struct qp_variant *asked =
        options->variant != NULL ? qp_variant_find(options->variant) : NULL;
    enum qp_status status = picture_check_name(options->picture);
    if (status == QP_OK)
        status = grid_check_name(options->output, false);
    if (status == QP_OK && !is_right_side(options))
        status = ranks_join(options, &asked, asked != NULL);
    if (is_right_side(options))
        return status == QP_OK ? solve_right_side(command) : status;
    if (status == QP_OK)
        status = refuse_made(options);
    if (status == QP_OK)
        status = system_read(options, &system);
    if (status == QP_OK)
        status = system_find_variant(options, QP_SOLVES_NOTHING, &variant);
    if (status == QP_OK)
        status = solve(command, &system, variant);
    system_destroy(&system);
    return status;
}
