/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include "lab/plan/problem.h"
#include "lab/walk/checker.h"
#include "lab/walk/description.h"
#include "toolkit/base/status.h"

enum qp_status qp_trivials_add(struct qp_trivials *trivials, const struct qp_problem *problem,
                               int steps, double tolerance)
{
    const struct qp_judge *judge = problem->op->judge;
    double error = 0.0;
    if (judge == NULL || judge->trivial == NULL || problem->reference == NULL)
        return QP_OK;
    trivials->cases++;
    for (int k = 0; k < QP_TRIVIALS; k++) {
        if (trivials->told[k])
            continue;
        error = judge->trivial(problem, k, trivials->name[k], sizeof trivials->name[k]);
        if (isnan(error))
            return qp_fail_within(QP_NO_MEMORY, "stage 9, reference");
        if (error < 0.0)
            break;
        trivials->told[k] |= error > tolerance;
        trivials->most[k] = fmax(trivials->most[k], error / steps);
        trivials->count = k + 1;
    }
    return QP_OK;
}

/* True with a sentence if one would pass in every case. */
static bool would_pass(const struct qp_trivials *trivials, char *reason, size_t size)
{
    const char *all = trivials->cases > 1 ? "all " : "", *plural = trivials->cases > 1 ? "s" : "";
    char by[64] = "no tolerance would tell, but other inputs may";
    int least = -1;
    for (int k = 0; k < trivials->count; k++) {
        if (!trivials->told[k] && (least < 0 || trivials->most[k] < trivials->most[least]))
            least = k;
    }
    if (least < 0)
        return false;
    if (trivials->most[least] > 0.0)
        snprintf(by, sizeof by, "a tolerance of %.1e would tell", 0.5 * trivials->most[least]);
    snprintf(reason, size, "%s would pass in %s%d case%s, too; %s", trivials->name[least], all,
             trivials->cases, plural, by);
    return true;
}

void qp_trivials_doubt(const struct qp_trivials *trivials, struct qp_record *record)
{
    if (record->verdict != QP_PASS || !would_pass(trivials, record->reason, sizeof record->reason))
        return;
    record->verdict = QP_CANNOT_TELL;
    qp_record_rate(record, NAN);
    record->seconds_min = NAN;
    record->sample_count = 0;
}
