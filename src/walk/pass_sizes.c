/* SPDX-License-Identifier: MIT */
/* Checks of passes: which cases there are, and what is right. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/compare.h"
#include "plan/op.h"
#include "walk/pass_case.h"

/* ---- Judging ---- */

static double allowed_in(const struct qp_pass_trial *trial, enum qp_array_type type)
{
    static const double usual[] = {
        [QP_ARRAY_FLOAT] = 0x1p-20, [QP_ARRAY_HALF] = 0x1p-10, [QP_ARRAY_DOUBLE] = 0x1p-48};
    return trial->desc->tolerance > 0.0 ? trial->desc->tolerance : usual[type];
}

/* The worst place of an output. Where the reference has no number, nothing can be right. */
static struct qp_comparison compare(const struct qp_pass_case *of, int k)
{
    const struct qp_array_desc *desc = &of->output[k].desc;
    const struct qp_matrix got = {.width = desc->width * desc->channels,
                                  .height = desc->height,
                                  .precision = QP_DOUBLES,
                                  .doubles = of->got[k]};
    struct qp_comparison worst = qp_compare(&got, of->expected[k], of->scale);
    worst.x /= desc->channels;
    return worst;
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
        const struct qp_comparison found = compare(of, k);
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
    struct qp_pass_case alone, guarded = {.trial = NULL};
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
