/* SPDX-License-Identifier: MIT */
/* Checks of passes: what is asked for, and how long a pass takes. */
#include <quadpass/pass_check.h>

#include <math.h>
#include <string.h>

#include "base/caller.h"
#include "base/clock.h"
#include "base/whole.h"
#include "gl/context.h"
#include "walk/pass_case.h"
#include "walk/samples.h"

/* ---- What a reference asks ---- */

double qp_pass_array_at(const struct qp_pass_array *input, int x, int y, int channel)
{
    if (input == NULL || input->values == NULL || channel < 0 || channel >= input->channels)
        return NAN;
    const bool inside = x >= 0 && y >= 0 && x < input->width && y < input->height;
    if (!inside && input->outside == QP_OUTSIDE_ZERO)
        return 0.0;
    if (!inside && input->outside == QP_OUTSIDE_VALUE)
        return input->value;
    if (!inside && input->outside == QP_OUTSIDE_WRAP) {
        x = qp_wrapped(x, input->width);
        y = qp_wrapped(y, input->height);
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
    enum { MOST_CELLS = 1 << 26 };
    const struct qp_pass_check_desc *desc = trial->desc;
    const struct qp_kernel *kernel = trial->prepared.kernel;
    enum qp_status status = QP_OK;
    if (desc->width < 0 || desc->height < 0 || (desc->width == 0) != (desc->height == 0))
        return qp_fail(QP_BAD_USE, "a check of %s at %d x %d cells; take sizes from 1 on, or 0 x 0",
                       kernel->desc.name, desc->width, desc->height);
    if ((double)desc->width * desc->height > MOST_CELLS)
        return qp_fail(QP_BAD_USE, "a check of %s at %d x %d cells; take 2^26 of them at most",
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

/* ---- Time ---- */

enum { LAPS = 5 };

/* Passes in turn, so that none is drawn over before it is done. */
struct timed {
    struct qp_pass pass[2];
    struct qp_array *output[2][QP_KERNEL_OUTPUTS]; /* their own */
};

/* Seconds of a pass, in laps of a hundredth of a second or more. */
static enum qp_status time_passes(const struct timed *timed, double *out)
{
    double laps[LAPS];
    int passes = 2;
    enum qp_status status = QP_OK;
    for (int lap = -1; lap < LAPS && status == QP_OK;) {
        const double start = qp_clock();
        for (int i = 0; i < passes && status == QP_OK; i++)
            status = qp_pass_run(&timed->pass[i % 2]);
        glFinish();
        const double seconds = qp_clock() - start;
        if (lap >= 0)
            laps[lap++] = seconds / passes;
        else if (seconds >= 0.01 || passes >= 1 << 16)
            lap++;
        else
            passes *= 2;
    }
    *out = qp_quantile(laps, LAPS, 0.5);
    return status;
}

/* The pass with copies of its outputs, which are inputs where it runs in place. */
static enum qp_status copy_outputs(const struct qp_pass_trial *trial, struct qp_pass *pass,
                                   struct qp_array *output[QP_KERNEL_OUTPUTS])
{
    const struct qp_kernel *kernel = trial->prepared.kernel;
    enum qp_status status = QP_OK;
    *pass = *trial->pass;
    for (int k = 0; k < kernel->outputs && status == QP_OK; k++) {
        const struct qp_array *own = trial->prepared.output[k];
        status = qp_array_create(kernel->context, &own->desc, NULL, &output[k]);
        if (status == QP_OK)
            status = qp_array_copy(own, NULL, output[k], 0, 0);
        pass->output[k] = output[k];
        for (int i = 0; i < QP_KERNEL_INPUTS; i++) {
            if (trial->same[k] >= 0 && pass->input[i].array == own)
                pass->input[i].array = output[k];
        }
    }
    return status;
}

/* Inputs are the caller's arrays, which a pass leaves as they are. */
static enum qp_status measure(const struct qp_pass_trial *trial, struct qp_pass_check_result *out)
{
    struct timed timed = {.output = {{NULL}}};
    enum qp_status status = QP_OK;
    for (int i = 0; i < 2 && status == QP_OK; i++)
        status = copy_outputs(trial, &timed.pass[i], timed.output[i]);
    if (status == QP_OK)
        status = time_passes(&timed, &out->seconds);
    if (status == QP_OK)
        status = qp_gl_check(trial->prepared.kernel->context, "timing a pass");
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < QP_KERNEL_OUTPUTS; k++)
            qp_array_destroy(&timed.output[i][k]);
    }
    return status;
}

/* ---- All ---- */

static enum qp_status check(const struct qp_pass *pass, const struct qp_pass_check_desc *desc,
                            struct qp_pass_check_result *out)
{
    struct qp_pass_trial trial;
    struct qp_pass_check_result result = {.verdict = QP_NO_VERDICT};
    struct qp_spoil_result spoiled = {0};
    enum qp_status status = open_trial(pass, desc, &trial);
    if (status == QP_OK)
        status = qp_pass_check_sizes(&trial, trial.prepared.kernel, &result);
    if (status == QP_OK && result.verdict == QP_FAIL)
        qp_kernel_note_loops(trial.prepared.kernel, result.reason, sizeof result.reason);
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
    enum qp_status status = qp_call_begin(&call, NULL);
    if (status == QP_OK)
        status = check(pass, desc != NULL ? desc : &usual, out);
    return qp_call_end(&call, status);
}
