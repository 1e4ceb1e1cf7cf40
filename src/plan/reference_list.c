/* SPDX-License-Identifier: MIT */
#include "plan/reference_list.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "plan/problem.h"

static struct qp_past_answer *newest(const struct qp_problem *problem)
{
    return problem->reference != NULL
               ? (struct qp_past_answer *)((char *)problem->reference -
                                           offsetof(struct qp_past_answer, answer))
               : NULL;
}

struct qp_past_answer *qp_kept_make(size_t cells)
{
    return qp_alloc(cells + offsetof(struct qp_past_answer, answer) / sizeof(double),
                    sizeof(double), "the reference");
}

static void free_all(struct qp_past_answer *first)
{
    while (first != NULL) {
        struct qp_past_answer *const next = first->next;
        free(first);
        first = next;
    }
}

void qp_problem_forget(struct qp_problem *problem)
{
    free_all(newest(problem));
    problem->reference = NULL;
    problem->reference_iterations = -1;
}

static bool is_alike(const struct qp_past_answer *kept, const struct qp_problem *problem)
{
    return kept->order == problem->order && kept->alpha == problem->alpha &&
           kept->block == problem->block && kept->random_start == problem->random_start;
}

/* Frees the oldest beyond a limit: small ones all stay, large ones take an eighth of the memory. */
static void limit(struct qp_past_answer *first, double bytes)
{
    double all = bytes;
    while (first->next != NULL && ((all += bytes) <= 0x1p28 || all <= 0.125 * qp_memory_there()))
        first = first->next;
    free_all(first->next);
    first->next = NULL;
}

void qp_kept_put(struct qp_problem *problem, struct qp_past_answer *kept, size_t values)
{
    kept->next = newest(problem);
    problem->reference = kept->answer;
    problem->reference_scale = kept->scale > 0.0 ? kept->scale : 1.0;
    problem->reference_iterations = kept->iterations;
    limit(kept, (double)values * sizeof(double));
}

bool qp_kept_find(struct qp_problem *problem, int iterations, size_t values)
{
    struct qp_past_answer *first = newest(problem), *found = first, *before = NULL;
    while (found != NULL && !(is_alike(found, problem) && found->iterations == iterations)) {
        before = found;
        found = found->next;
    }
    if (found == NULL || before == NULL)
        return found != NULL;
    before->next = found->next;
    qp_kept_put(problem, found, values);
    return true;
}

const struct qp_past_answer *qp_kept_before(const struct qp_problem *problem, int iterations)
{
    const struct qp_past_answer *best = NULL;
    for (const struct qp_past_answer *at = newest(problem); at != NULL; at = at->next) {
        if (is_alike(at, problem) && at->iterations < iterations &&
            (best == NULL || at->iterations > best->iterations))
            best = at;
    }
    return best;
}
