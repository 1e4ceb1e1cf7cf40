/* SPDX-License-Identifier: MIT */
/* A pass of the toolkit as a trial. */
#include <quadpass/pass_check.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/plan/problem.h"
#include "lab/trial/trial.h"
#include "lab/walk/changed.h"
#include "lab/walk/samples.h"
#include "toolkit/base/caller.h"
#include "toolkit/base/compare.h"
#include "toolkit/base/values.h"
#include "toolkit/gl/call.h"
#include "toolkit/passes/pass.h"

/* A check under way. */
struct checked {
    const struct qp_pass *pass;
    const struct qp_pass_check_desc *desc;
    struct qp_prepared prepared;
    struct qp_trial *trial;
    const struct qp_variant *variant;
    bool is_table[QP_KERNEL_INPUTS]; /* an input that the description names */
    struct qp_pass_check_result *out;
    enum qp_stage failed; /* the latest walk's */
};

/* ---- Descriptions ---- */

static enum qp_status check_desc(struct checked *checked)
{
    enum { MOST_CELLS = 1 << 26 };
    const struct qp_pass_check_desc *desc = checked->desc;
    const struct qp_kernel *kernel = checked->prepared.kernel;
    const char *name = kernel->desc.name;
    if (desc->width < 0 || desc->height < 0 || (desc->width == 0) != (desc->height == 0))
        return qp_fail(QP_BAD_USE, "a check of %s at %d x %d cells; take sizes from 1 on, or 0 x 0",
                       name, desc->width, desc->height);
    if ((double)desc->width * desc->height > MOST_CELLS)
        return qp_fail(QP_BAD_USE, "a check of %s at %d x %d cells; take 2^26 of them at most",
                       name, desc->width, desc->height);
    if (!(desc->tolerance >= 0.0 && isfinite(desc->tolerance)))
        return qp_fail(QP_BAD_USE, "%s: a tolerance of %g is of no use", name, desc->tolerance);
    if (!(isfinite(desc->low) && isfinite(desc->high)) || desc->low > desc->high)
        return qp_fail(QP_BAD_USE, "%s: there are no values from %g to %g", name, desc->low,
                       desc->high);
    if (desc->spoil && desc->reference == NULL)
        return qp_fail(QP_BAD_USE, "%s is spoiled without a reference, which alone would notice",
                       name);
    for (int k = 0; k < QP_KERNEL_INPUTS && desc->table[k] != NULL; k++) {
        int i = kernel->inputs - 1;
        while (i >= 0 && strcmp(kernel->desc.input[i].name, desc->table[k]) != 0)
            i--;
        if (i < 0)
            return qp_fail(QP_BAD_USE,
                           "%s has no input called '%.64s', which a check names as a table", name,
                           desc->table[k]);
        checked->is_table[i] = true;
    }
    return QP_OK;
}

/* Members that belong to one size are not checked at others. */
static enum qp_status check_pass(const struct qp_pass *pass, const char *name)
{
    const char *what = pass->mask != NULL                                    ? "a mask"
                       : pass->depth != NULL                                 ? "a depth"
                       : pass->region.width != 0 || pass->region.height != 0 ? "a region"
                                                                             : NULL;
    return what == NULL ? QP_OK
                        : qp_fail(QP_BAD_USE,
                                  "%s is checked at several sizes, and %s belongs to one; leave it "
                                  "out of this pass",
                                  name, what);
}

/* The outputs that are inputs; "" for others. */
static enum qp_status find_states(const struct qp_prepared *prepared, const char *state[])
{
    const struct qp_kernel_desc *desc = &prepared->kernel->desc;
    for (int k = 0; k < prepared->kernel->outputs; k++) {
        state[k] = "";
        for (int i = 0; i < prepared->kernel->inputs; i++) {
            const struct qp_array *input = prepared->input[i];
            if (input == NULL || !qp_array_shares(input, prepared->output[k]))
                continue;
            if (input != prepared->output[k] || state[k][0] != '\0')
                return qp_fail(QP_BAD_USE,
                               "%s: input '%s' and output %d are parts of one array; a check takes "
                               "outputs that are an input themselves, or none",
                               desc->name, desc->input[i].name, k);
            state[k] = desc->input[i].name;
        }
    }
    return QP_OK;
}

/* ---- The trial ---- */

/* An array's cells as doubles. */
static enum qp_status read_table(const struct qp_array *array, struct qp_matrix *out)
{
    const struct qp_array_desc *desc = &array->desc;
    const enum qp_status status =
        qp_matrix_make(desc->width * desc->channels, desc->height, QP_DOUBLES, out);
    return status == QP_OK ? qp_typed_read(array, QP_DOUBLES, out->doubles) : status;
}

/* Describes inputs and numbers as they are in the pass. Halves and floats are the arrays'. */
static enum qp_status describe(const struct checked *checked, struct qp_trial_desc *trial,
                               struct qp_kernel_desc *kernel, struct qp_matrix *tables)
{
    static const double zeros[64];
    const struct qp_prepared *prepared = &checked->prepared;
    enum qp_status status = QP_OK;
    for (int i = 0; i < prepared->kernel->inputs && status == QP_OK; i++) {
        const struct qp_array *array = prepared->input[i];
        struct qp_trial_input *input = &trial->input[i];
        *input = (struct qp_trial_input){
            .name = kernel->input[i].name, .low = checked->desc->low, .high = checked->desc->high};
        if (array == NULL)
            continue;
        kernel->input[i].type = array->desc.type;
        input->outside = array->desc.outside;
        input->value = array->desc.value;
        if (checked->is_table[i]) {
            status = read_table(array, &tables[i]);
            input->table = &tables[i];
        }
    }
    for (int i = 0; i < prepared->kernel->numbers; i++) {
        trial->number[i] = prepared->number[i];
        trial->number[i].name = kernel->number[i].name;
        if (trial->number[i].list == NULL)
            trial->number[i].list = zeros;
    }
    kernel->output_type = prepared->output[0]->desc.type;
    return status;
}

/* Refuses what a trial of several steps cannot be asked for. */
static void set_course(const struct checked *checked)
{
    const struct qp_prepared *prepared = &checked->prepared;
    const struct qp_pass *pass = checked->pass;
    struct qp_trial *trial = checked->trial;
    struct qp_trial_recipe *recipe = trial->recipes;
    trial->keeps_outputs = pass->blend != QP_BLEND_REPLACE || pass->points > 0 || pass->in_place;
    trial->in_place = pass->in_place;
    trial->size =
        (struct qp_size){prepared->output[0]->desc.width, prepared->output[0]->desc.height};
    for (int i = 0; i < trial->inputs; i++) {
        if (prepared->input[i] != NULL)
            trial->input[i].own =
                (struct qp_size){prepared->input[i]->desc.width, prepared->input[i]->desc.height};
    }
    recipe->blend[0] = pass->blend;
    recipe->points[0] = pass->points;
}

static enum qp_status make_trial(struct checked *checked)
{
    const struct qp_pass_check_desc *desc = checked->desc;
    struct qp_kernel_desc kernel = checked->prepared.kernel->desc;
    struct qp_matrix tables[QP_KERNEL_INPUTS] = {{0}};
    struct qp_trial_desc trial = {.name = "pass",
                                  .reference = desc->reference,
                                  .user = desc->user,
                                  .tolerance = desc->tolerance};
    enum qp_status status = find_states(&checked->prepared, trial.state);
    if (status == QP_OK)
        status = describe(checked, &trial, &kernel, tables);
    if (status == QP_OK)
        status = qp_trial_create(&trial, &kernel, &checked->trial);
    if (status == QP_OK)
        status = qp_trial_add(checked->trial,
                              &(struct qp_trial_variant){.name = "kernel", .kernel = {kernel}},
                              &checked->variant);
    if (status == QP_OK)
        set_course(checked);
    for (int i = 0; i < QP_KERNEL_INPUTS; i++)
        qp_matrix_destroy(&tables[i]);
    return status;
}

/* ---- Cases ---- */

/* A walk of one step; one that cannot be is an error. */
static enum qp_status walk(struct checked *checked, const struct qp_variant *variant,
                           struct qp_problem *problem, bool guarded, struct qp_result *out)
{
    const bool judged = checked->desc->reference != NULL;
    const struct qp_walk_desc desc = {
        .iterations = 1, .unchecked = !judged, .keep_solution = !judged, .timed = !guarded};
    snprintf(checked->trial->where, sizeof checked->trial->where, " at %d x %d%s", problem->width,
             problem->height, guarded ? " in guards" : "");
    const enum qp_status status =
        qp_walk(checked->prepared.kernel->context, variant, problem, &desc, out);
    checked->failed = out->failed;
    return status != QP_OK || (out->verdict != QP_SKIP && out->cause != QP_DEVICE)
               ? status
               : qp_fail(out->cause, "%s", out->reason);
}

/* Compares two answers bit for bit. */
static void compare(const struct qp_problem *problem, const double *wanted, struct qp_result *got)
{
    char place[128];
    struct qp_comparison worst = qp_compare(&got->solution, wanted, 1.0);
    qp_problem_name(problem, &worst.x, &worst.y, place, sizeof place);
    got->error = worst.error;
    if (worst.error == 0.0)
        return;
    got->verdict = QP_FAIL;
    qp_comparison_tell(&worst, NULL, place, 0.0, got->reason, sizeof got->reason);
}

/* Keeps the worst case, and the first that failed. */
static void note(struct qp_pass_check_result *out, const struct qp_problem *problem,
                 const struct qp_result *result, double allowed)
{
    out->cases++;
    out->verdict = result->verdict;
    if (result->verdict == QP_PASS && out->cases > 1 &&
        result->error * out->allowed <= out->error * allowed)
        return;
    out->error = result->error;
    out->allowed = allowed;
    out->width = problem->width;
    out->height = problem->height;
    memcpy(out->reason, result->reason, sizeof out->reason);
}

/* Both layouts of one problem, alone and in guards, up to the first that fails; without a reference
 * the first judges the second. */
static enum qp_status check_problem(struct checked *checked, const struct qp_variant *variant,
                                    struct qp_problem *problem, struct qp_pass_check_result *out)
{
    const bool judged = checked->desc->reference != NULL;
    const size_t count = qp_problem_answers(problem);
    double *wanted = judged ? NULL : qp_alloc(count, sizeof *wanted, "an answer");
    enum qp_status status = judged || wanted != NULL ? QP_OK : QP_NO_MEMORY;
    out->verdict = QP_PASS;
    for (int guarded = 0; guarded <= (int)qp_trial_recipe_of(variant)->guarded && status == QP_OK &&
                          out->verdict == QP_PASS;
         guarded++) {
        struct qp_result result;
        status = walk(checked, variant, problem, guarded, &result);
        if (status == QP_OK && !judged && result.verdict == QP_PASS && guarded == 0) {
            for (size_t i = 0; i < count; i++)
                wanted[i] = qp_matrix_value(&result.solution, i);
        }
        if (status == QP_OK && !judged && result.verdict == QP_PASS)
            compare(problem, wanted, &result);
        if (status == QP_OK)
            note(out, problem, &result, judged ? result.tolerance : 0.0);
        qp_matrix_destroy(&result.solution);
    }
    free(wanted);
    return status;
}

static enum qp_status check_sizes(struct checked *checked, const struct qp_variant *variant,
                                  struct qp_pass_check_result *out)
{
    const struct qp_pass_check_desc *desc = checked->desc;
    const struct qp_size wanted[] = {{desc->width, desc->height}, {0, 0}};
    enum qp_status status = QP_OK;
    *out = (struct qp_pass_check_result){.verdict = QP_PASS, .seconds = NAN};
    for (const struct qp_size *size = desc->width > 0 ? wanted : qp_usual_sizes;
         size->width > 0 && status == QP_OK && out->verdict == QP_PASS; size++) {
        struct qp_problem problem;
        status = qp_trial_problem(checked->trial, size->width, size->height, desc->seed, &problem);
        if (status == QP_OK)
            status = check_problem(checked, variant, &problem, out);
        qp_problem_destroy(&problem);
    }
    return status;
}

/* ---- Mutants ---- */

static enum qp_status walk_mutant(void *user, const struct qp_variant *variant,
                                  struct qp_result *out)
{
    struct checked *checked = user;
    struct qp_pass_check_result result;
    const enum qp_status status = check_sizes(checked, variant, &result);
    *out = (struct qp_result){.verdict = result.verdict, .failed = checked->failed};
    memcpy(out->reason, result.reason, sizeof out->reason);
    return status;
}

static enum qp_status spoil(struct checked *checked)
{
    const struct qp_spoil_desc desc = {.on_mutant = checked->desc->on_mutant,
                                       .user = checked->desc->user};
    struct qp_spoil_result spoiled = {0};
    const enum qp_status status =
        qp_spoil_by(checked->variant, walk_mutant, checked, &desc, &spoiled);
    checked->out->made = spoiled.made;
    checked->out->noticed = spoiled.noticed;
    memcpy(checked->out->survivor, spoiled.survivor, sizeof spoiled.survivor);
    return status;
}

/* ---- Time ---- */

enum { LAPS = 5 };

static enum qp_status measure(const struct checked *checked)
{
    const struct qp_array_desc *own = &checked->prepared.output[0]->desc;
    struct qp_problem problem;
    double laps[LAPS];
    enum qp_status status =
        qp_trial_problem(checked->trial, own->width, own->height, checked->desc->seed, &problem);
    for (int lap = 0; lap < LAPS && status == QP_OK; lap++) {
        const struct qp_walk_desc desc = {.iterations = problem.op->runs->bench_steps(&problem),
                                          .unchecked = true,
                                          .timed = true};
        struct qp_result result;
        status =
            qp_walk(checked->prepared.kernel->context, checked->variant, &problem, &desc, &result);
        laps[lap] = result.run_seconds / desc.iterations;
    }
    if (status == QP_OK)
        checked->out->seconds = qp_quantile(laps, LAPS, 0.5);
    qp_problem_destroy(&problem);
    return status;
}

/* ---- All ---- */

static enum qp_status check(struct checked *checked)
{
    struct qp_pass_check_result *out = checked->out;
    enum qp_status status = qp_pass_prepare(checked->pass, &checked->prepared);
    const struct qp_kernel *kernel = checked->prepared.kernel;
    if (status == QP_OK)
        status = check_desc(checked);
    if (status == QP_OK)
        status = check_pass(checked->pass, kernel->desc.name);
    if (status == QP_OK)
        status = make_trial(checked);
    if (status == QP_OK)
        status = check_sizes(checked, checked->variant, out);
    if (status == QP_OK && out->verdict == QP_FAIL)
        qp_kernel_note_loops(kernel, out->reason, sizeof out->reason);
    if (status == QP_OK && out->verdict == QP_FAIL && checked->desc->spoil)
        status = qp_fail(QP_BAD_USE, "%s must pass before it is spoiled: %s", kernel->desc.name,
                         out->reason);
    if (status == QP_OK && checked->desc->spoil)
        status = spoil(checked);
    if (status == QP_OK && out->verdict == QP_PASS)
        status = measure(checked);
    qp_trial_destroy(&checked->trial);
    return status;
}

enum qp_status qp_pass_check(const struct qp_pass *pass, const struct qp_pass_check_desc *desc,
                             struct qp_pass_check_result *out)
{
    static const struct qp_pass_check_desc usual;
    static const struct qp_pass_check_result nothing = {.seconds = NAN};
    struct qp_call call;
    if (QP_NEED_OUT(out, nothing) || QP_NEED(pass))
        return QP_BAD_USE;
    struct checked checked = {.pass = pass, .desc = desc != NULL ? desc : &usual, .out = out};
    enum qp_status status = qp_call_begin(&call, NULL);
    if (status == QP_OK)
        status = check(&checked);
    if (status != QP_OK)
        *out = nothing;
    return qp_call_end(&call, status);
}
