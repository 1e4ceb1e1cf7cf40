/* SPDX-License-Identifier: MIT */
/* Checks of passes: which cases there are, what is right, and how long a pass takes. */
#include <quadpass/pass_check.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/caller.h"
#include "base/clock.h"
#include "base/compare.h"
#include "base/whole.h"
#include "gl/context.h"
#include "plan/op.h"
#include "walk/pass_case.h"

/* ---- What a reference asks ---- */

static int wrapped(int at, int size)
{
    return (at % size + size) % size;
}

double qp_checked_at(const struct qp_checked_array *input, int x, int y, int channel)
{
    if (input == NULL || input->values == NULL || channel < 0 || channel >= input->channels)
        return NAN;
    const bool inside = x >= 0 && y >= 0 && x < input->width && y < input->height;
    if (!inside && input->outside == QP_OUTSIDE_ZERO)
        return 0.0;
    if (!inside && input->outside == QP_OUTSIDE_VALUE)
        return input->value;
    if (!inside && input->outside == QP_OUTSIDE_WRAP) {
        x = wrapped(x, input->width);
        y = wrapped(y, input->height);
    }
    x = qp_most(0, qp_least(x, input->width - 1));
    y = qp_most(0, qp_least(y, input->height - 1));
    const size_t cell = (size_t)y * (size_t)input->width + (size_t)x;
    return input->values[cell * (size_t)input->channels + (size_t)channel];
}

/* ---- Descriptions ---- */

static enum qp_status check_table(const struct qp_kernel *kernel, const char *name)
{
    for (int i = 0; i < kernel->inputs; i++) {
        if (strcmp(kernel->desc.input[i].name, name) == 0)
            return QP_OK;
    }
    return qp_fail(QP_BAD_USE, "%s has no input called '%.64s', which a check names as a table",
                   kernel->desc.name, name);
}

static enum qp_status check_desc(const struct qp_pass_trial *trial)
{
    const struct qp_pass_check_desc *desc = trial->desc;
    const struct qp_kernel *kernel = trial->prepared.kernel;
    enum qp_status status = QP_OK;
    if (desc->width < 0 || desc->height < 0 || (desc->width == 0) != (desc->height == 0))
        return qp_fail(QP_BAD_USE, "a check of %s at %d x %d cells; take sizes from 1 on, or 0 x 0",
                       kernel->desc.name, desc->width, desc->height);
    if (!(desc->tolerance >= 0.0 && isfinite(desc->tolerance)))
        return qp_fail(QP_BAD_USE, "%s: a tolerance of %g is of no use", kernel->desc.name,
                       desc->tolerance);
    if (!(isfinite(desc->low) && isfinite(desc->high)) || desc->low > desc->high)
        return qp_fail(QP_BAD_USE, "%s: there are no values from %g to %g", kernel->desc.name,
                       desc->low, desc->high);
    if (desc->spoil && desc->reference == NULL)
        return qp_fail(QP_BAD_USE, "%s is spoiled without a reference, which alone would notice",
                       kernel->desc.name);
    for (int k = 0; k < QP_KERNEL_INPUTS && desc->table[k] != NULL && status == QP_OK; k++)
        status = check_table(kernel, desc->table[k]);
    return status;
}

/* What belongs to one size is not checked at others. */
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

/* Which outputs are inputs. */
static enum qp_status find_same(struct qp_pass_trial *trial)
{
    const struct qp_prepared *prepared = &trial->prepared;
    for (int k = 0; k < prepared->kernel->outputs; k++) {
        trial->same[k] = -1;
        for (int i = 0; i < prepared->kernel->inputs; i++) {
            const struct qp_array *input = prepared->input[i];
            if (input == NULL || !qp_array_shares(input, prepared->output[k]))
                continue;
            if (input != prepared->output[k] || trial->same[k] >= 0)
                return qp_fail(QP_BAD_USE,
                               "%s: input '%s' and output %d are parts of one array; a check takes "
                               "outputs that are an input themselves, or none",
                               prepared->kernel->desc.name, prepared->kernel->desc.input[i].name,
                               k);
            trial->same[k] = i;
        }
    }
    return QP_OK;
}

static enum qp_status open_trial(const struct qp_pass *pass, const struct qp_pass_check_desc *desc,
                                 struct qp_pass_trial *out)
{
    *out = (struct qp_pass_trial){.pass = pass, .desc = desc};
    enum qp_status status = qp_pass_prepare(pass, &out->prepared);
    if (status == QP_OK)
        status = check_desc(out);
    if (status == QP_OK)
        status = check_pass(pass, out->prepared.kernel->desc.name);
    out->writes_all = pass->blend == QP_BLEND_REPLACE && pass->points == 0 && !pass->in_place;
    return status == QP_OK ? find_same(out) : status;
}

/* ---- Judging ---- */

static double allowed_in(const struct qp_pass_trial *trial, enum qp_array_type type)
{
    static const double usual[] = {
        [QP_ARRAY_FLOAT] = 0x1p-20, [QP_ARRAY_HALF] = 0x1p-10, [QP_ARRAY_DOUBLE] = 0x1p-48};
    return trial->desc->tolerance > 0.0 ? trial->desc->tolerance : usual[type];
}

/* Compares an output, and keeps the worst place. Where the reference has no number, nothing can be right. */
static void compare(const struct qp_pass_case *of, int k, struct qp_comparison *out)
{
    const struct qp_array_desc *desc = &of->output[k].desc;
    *out = (struct qp_comparison){.finite = true, .error = -1.0, .precision = QP_DOUBLES};
    for (size_t i = 0; i < qp_case_count(desc) && out->finite; i++) {
        const double got = of->got[k][i], wanted = of->expected[k][i];
        const bool finite = isfinite(got) && isfinite(wanted);
        const double error = finite ? fabs(got - wanted) / of->scale : (double)INFINITY;
        if (error <= out->error)
            continue;
        const int cell = (int)(i / (size_t)desc->channels);
        out->error = error;
        out->finite = finite;
        out->got = got;
        out->wanted = wanted;
        out->x = cell % desc->width;
        out->y = cell / desc->width;
    }
}

static void tell(const struct qp_pass_case *of, int k, const struct qp_comparison *found,
                 double allowed, char *reason, size_t size)
{
    char place[96];
    snprintf(place, sizeof place, "cell (%d, %d) of output %d at %d x %d%s", found->x, found->y, k,
             of->width, of->height, of->guarded ? " in guards" : "");
    if (!isfinite(found->wanted) && of->trial->desc->reference != NULL)
        snprintf(reason, size, "%s is %g by the reference, which must write numbers to all cells",
                 place, found->wanted);
    else
        qp_comparison_tell(found, NULL, place, allowed, reason, size);
}

/* Judges what the last run left; without a reference in guards by what stood there without, and bit for bit. */
static void judge(const struct qp_pass_case *of, struct qp_pass_check_result *result)
{
    const struct qp_pass_trial *trial = of->trial;
    for (int k = 0; k < trial->prepared.kernel->outputs && result->verdict == QP_PASS; k++) {
        const double allowed =
            trial->desc->reference != NULL ? allowed_in(trial, of->output[k].desc.type) : 0.0;
        struct qp_comparison found;
        compare(of, k, &found);
        const bool good = found.error <= allowed;
        if (good && result->cases > 1 && found.error * result->allowed <= result->error * allowed)
            continue;
        result->error = found.error;
        result->allowed = allowed;
        result->width = of->width;
        result->height = of->height;
        if (good)
            continue;
        result->verdict = QP_FAIL;
        tell(of, k, &found, allowed, result->reason, sizeof result->reason);
    }
}

static enum qp_status run_case(struct qp_pass_case *of, const struct qp_kernel *kernel,
                               struct qp_pass_check_result *result)
{
    char reason[256];
    const enum qp_status status = qp_pass_case_run(of, kernel, reason, sizeof reason);
    if (status != QP_OK)
        return status;
    result->cases++;
    if (of->trial->desc->reference == NULL && !of->guarded) {
        for (int k = 0; k < kernel->outputs; k++)
            memcpy(of->expected[k], of->got[k],
                   qp_case_count(&of->output[k].desc) * sizeof(double));
    }
    judge(of, result);
    if (result->verdict == QP_PASS && reason[0] != '\0') {
        result->verdict = QP_FAIL;
        result->error = INFINITY;
        result->width = of->width;
        result->height = of->height;
        snprintf(result->reason, sizeof result->reason, "%s", reason);
    }
    return QP_OK;
}

/* ---- Cases ---- */

/* Whether the kernel finds its cells where they do not begin at texel (0, 0). */
static bool can_be_guarded(const struct qp_prepared *prepared)
{
    const struct qp_kernel *kernel = prepared->kernel;
    const struct qp_step *step = &kernel->forms->step;
    if (kernel->desc.body != NULL)
        return true;
    bool knows = qp_step_uses(step, 3 * kernel->inputs + kernel->numbers + 1, 0);
    for (int i = 0; i < kernel->inputs; i++)
        knows =
            knows && (!qp_step_uses(step, i, 0) || qp_step_uses(step, kernel->inputs + 2 * i, 0));
    return knows;
}

/* Both layouts at one size. */
static enum qp_status check_size(const struct qp_pass_trial *trial, const struct qp_kernel *kernel,
                                 struct qp_size size, struct qp_pass_check_result *result)
{
    struct qp_pass_case alone, guarded = {NULL};
    const int outputs = trial->prepared.kernel->outputs;
    enum qp_status status = qp_pass_case_make(trial, size.width, size.height, false, &alone);
    if (status == QP_OK)
        status = run_case(&alone, kernel, result);
    const bool goes_on =
        status == QP_OK && result->verdict == QP_PASS && can_be_guarded(&trial->prepared);
    if (goes_on)
        status = qp_pass_case_make(trial, size.width, size.height, true, &guarded);
    for (int k = 0; goes_on && status == QP_OK && k < outputs; k++)
        memcpy(guarded.expected[k], alone.expected[k],
               qp_case_count(&alone.output[k].desc) * sizeof(double));
    if (goes_on && status == QP_OK)
        status = run_case(&guarded, kernel, result);
    qp_pass_case_destroy(&guarded);
    qp_pass_case_destroy(&alone);
    return status;
}

enum qp_status qp_pass_check_sizes(const struct qp_pass_trial *trial,
                                   const struct qp_kernel *kernel,
                                   struct qp_pass_check_result *result)
{
    const struct qp_size wanted[] = {{trial->desc->width, trial->desc->height}, {0, 0}};
    enum qp_status status = QP_OK;
    *result = (struct qp_pass_check_result){.verdict = QP_PASS, .seconds = NAN};
    for (const struct qp_size *size = trial->desc->width > 0 ? wanted : qp_usual_sizes;
         size->width > 0 && status == QP_OK && result->verdict == QP_PASS; size++)
        status = check_size(trial, kernel, *size, result);
    return status;
}

/* ---- Time ---- */

enum { LAPS = 5 };

static int by_value(const void *a, const void *b)
{
    const double difference = *(const double *)a - *(const double *)b;
    return (difference > 0.0) - (difference < 0.0);
}

/* Seconds of a pass of a case, in laps of a hundredth of a second or more. */
static enum qp_status time_case(const struct qp_pass_case *of, double *out)
{
    const struct qp_pass_trial *trial = of->trial;
    double laps[LAPS];
    int passes = 1;
    enum qp_status status = QP_OK;
    for (int lap = -1; lap < LAPS && status == QP_OK;) {
        const double start = qp_clock();
        for (int i = 0; i < passes && status == QP_OK; i++)
            status = qp_pass_case_pass(of, trial->prepared.kernel);
        glFinish();
        const double seconds = qp_clock() - start;
        if (lap >= 0)
            laps[lap++] = seconds / passes;
        else if (seconds >= 0.01 || passes >= 1 << 16)
            lap++;
        else
            passes *= 2;
    }
    qsort(laps, LAPS, sizeof *laps, by_value);
    *out = laps[LAPS / 2];
    return status;
}

static enum qp_status measure(const struct qp_pass_trial *trial, struct qp_pass_check_result *out)
{
    const struct qp_array_desc *desc = &trial->prepared.output[0]->desc;
    struct qp_pass_check_desc plain = *trial->desc;
    struct qp_pass_trial alone = *trial;
    struct qp_pass_case of;
    plain.reference = NULL;
    alone.desc = &plain;
    enum qp_status status = qp_pass_case_make(&alone, desc->width, desc->height, false, &of);
    if (status == QP_OK)
        status = time_case(&of, &out->seconds);
    if (status == QP_OK)
        status = qp_gl_check(trial->prepared.kernel->context, "timing a pass");
    qp_pass_case_destroy(&of);
    return status;
}

/* ---- All ---- */

static enum qp_status check(const struct qp_pass *pass, const struct qp_pass_check_desc *desc,
                            struct qp_pass_check_result *out)
{
    struct qp_pass_trial trial;
    struct qp_pass_check_result result;
    struct qp_spoil_result spoiled = {0};
    enum qp_status status = open_trial(pass, desc, &trial);
    if (status == QP_OK)
        status = qp_pass_check_sizes(&trial, trial.prepared.kernel, &result);
    if (status == QP_OK && result.verdict == QP_FAIL && desc->spoil)
        status = qp_fail(QP_BAD_USE, "%s must pass before it is spoiled: %s",
                         trial.prepared.kernel->desc.name, result.reason);
    if (status == QP_OK && desc->spoil)
        status = qp_pass_spoil(&trial, &spoiled);
    if (status == QP_OK && result.verdict == QP_PASS)
        status = measure(&trial, &result);
    if (status != QP_OK)
        return status;
    result.made = spoiled.made;
    result.noticed = spoiled.noticed;
    memcpy(result.survivor, spoiled.survivor, sizeof result.survivor);
    *out = result;
    return QP_OK;
}

enum qp_status qp_pass_check(const struct qp_pass *pass, const struct qp_pass_check_desc *desc,
                             struct qp_pass_check_result *out)
{
    static const struct qp_pass_check_desc usual;
    struct qp_call call;
    if (QP_NEED(out))
        return QP_BAD_USE;
    *out = (struct qp_pass_check_result){.seconds = NAN};
    if (QP_NEED(pass))
        return QP_BAD_USE;
    enum qp_status status = qp_call_begin(&call);
    if (status == QP_OK)
        status = check(pass, desc != NULL ? desc : &usual, out);
    qp_call_end(&call);
    return status;
}
