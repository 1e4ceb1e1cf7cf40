/* SPDX-License-Identifier: MIT */
#include "lab/walk/changed.h"
#include "toolkit/base/watch.h"
#include "tools/cmd/cmd.h"
#include "tools/cmd/run/trial.h"

struct spoiled {
    struct run_trial *trial;
    struct qp_context *context;
    struct qp_problem problem;
};

/* Walks a mutant until its reference notices it. */
static enum qp_status walk_mutant(void *user, const struct qp_variant *variant,
                                  struct qp_result *out)
{
    struct spoiled *spoiled = user;
    const struct run_trial *trial = spoiled->trial;
    enum qp_status status = QP_OK;
    *out = (struct qp_result){.verdict = QP_PASS};
    for (int k = 0; trial->steps[k] > 0 && status == QP_OK && out->verdict == QP_PASS; k++) {
        const struct qp_walk_desc desc = {.iterations = trial->steps[k],
                                          .interrupt = &cmd_interrupted};
        if (k == 0 || trial->steps[k + 1] == 0)
            status = qp_walk(spoiled->context, variant, &spoiled->problem, &desc, out);
    }
    if (trial->ended != QP_OK)
        return trial->ended;
    return cmd_interrupted ? qp_watch_fail() : status;
}

enum qp_status run_trial_spoil(struct run_trial *trial, struct qp_context *context,
                               struct qp_spoil_result *out)
{
    static const struct qp_spoil_desc usual;
    const struct qp_size few = {13, 11}, *size = trial->size->width > 0 ? trial->size : &few;
    struct spoiled spoiled = {.trial = trial, .context = context};
    *out = (struct qp_spoil_result){0};
    enum qp_status status =
        run_trial_make(trial, 0, size->width, size->height, 1, &spoiled.problem);
    if (status == QP_OK)
        status = qp_spoil_by(trial->variant, walk_mutant, &spoiled, &usual, out);
    qp_problem_destroy(&spoiled.problem);
    return status;
}
