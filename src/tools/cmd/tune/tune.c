/* SPDX-License-Identifier: MIT */
/* The search for the fastest configuration of a kernel, also in a space that was recorded. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lab/walk/samples.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/status.h"
#include "toolkit/base/watch.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/output/sentence.h"
#include "tools/cmd/tune/live.h"
#include "tools/cmd/tune/t4.h"

static const double between_files = 2.0; /* seconds */

struct session {
    const struct options *options;
    const struct tune_kernel *kernel;
    struct t4 known; /* tried by this run or an earlier one */
    int *place;      /* a valid configuration's in `known`, from 1 on; 0: it is not there */
    double written;
};

/* ---- Runs ---- */

static enum qp_status keep(struct session *session, const struct qp_tried *tried)
{
    struct t4 *known = &session->known;
    int *const place = &session->place[qp_space_find(&known->space, tried->configuration)];
    if (*place == 0) {
        void *more = realloc(known->tried, ((size_t)known->count + 1) * sizeof *known->tried);
        if (more == NULL)
            return qp_fail(QP_NO_MEMORY, "no memory for results");
        known->tried = more;
        *place = ++known->count;
    }
    known->tried[*place - 1] = *tried;
    return QP_OK;
}

/* Appends a recorded configuration's next sample, at the first all else too; false: there is
 * none. */
static bool replay(const struct qp_tried *recorded, struct qp_tried *tried)
{
    const int count = tried->count;
    if (count == 0)
        *tried = *recorded;
    tried->count = count;
    if (count < recorded->count)
        tried->samples[tried->count++] = recorded->samples[count];
    return tried->count > count || recorded->end != QP_TRIED_CORRECT;
}

static enum qp_status attempt(void *user, struct qp_tried *tried)
{
    struct session *session = user;
    const int place = session->place[qp_space_find(&session->known.space, tried->configuration)];
    const time_t now = time(NULL);
    if (place > 0 && replay(&session->known.tried[place - 1], tried))
        return QP_OK;
    if (tried->count == 0)
        strftime(tried->when, sizeof tried->when, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    enum qp_status status = session->kernel->attempt(session->kernel->user, tried);
    t4_round(tried);
    return status == QP_OK ? keep(session, tried) : status;
}

/* Compiles configurations ahead, as far as no result of theirs is known. */
static void prepare(void *user, const int *configurations, int count)
{
    const struct session *session = user;
    int *const unknown = qp_alloc((size_t)count, sizeof *unknown, "configurations");
    int unknowns = 0;
    for (int k = 0; unknown != NULL && k < count; k++)
        if (session->place[qp_space_find(&session->known.space, configurations[k])] == 0)
            unknown[unknowns++] = configurations[k];
    if (unknowns > 0)
        session->kernel->ahead(session->kernel->user, unknown, unknowns);
    free(unknown);
}

static int by_configuration(const void *a, const void *b)
{
    const struct qp_tried *one = a, *other = b;
    return (one->configuration > other->configuration) -
           (one->configuration < other->configuration);
}

/* The same of a recorded space, in ascending order. */
static enum qp_status attempt_recorded(void *user, struct qp_tried *tried)
{
    const struct t4 *space = user;
    const struct qp_tried *recorded =
        bsearch(tried, space->tried, (size_t)space->count, sizeof *tried, by_configuration);
    char text[QP_SPACE_TEXT];
    if (recorded == NULL)
        return qp_fail(QP_BAD_INPUT,
                       "the recorded space has no result of %s; another search than its own needs "
                       "one that was recorded by --strategy exhaustive",
                       qp_space_text(&space->space, tried->configuration, text));
    replay(recorded, tried);
    return QP_OK;
}

static void on_run(void *user, const struct qp_search *now)
{
    struct session *session = user;
    const struct qp_tried *best = now->best >= 0 ? &now->tried[now->best] : NULL;
    const double clock = qp_clock();
    char text[QP_SPACE_TEXT] = "";
    if (best != NULL)
        progress_say("run %d of the tuner, best so far %.4g ms: %s", now->count,
                     1e3 * qp_tried_seconds(best),
                     qp_space_text(&session->known.space, best->configuration, text));
    if (session->options->output != NULL && clock - session->written > between_files &&
        t4_write(session->options->output, &session->known) == QP_OK) /* the last one reports */
        session->written = clock;
}

/* ---- Report ---- */

/* How far times of configurations are apart that differ in one parameter alone: the geometric mean
 * of all pairs, and the most. */
static void print_pairs(FILE *out, const struct qp_space *space, int parameter,
                        const struct qp_search *search)
{
    const int stride = space->parameter[parameter].stride;
    double sum = 0.0, most = 0.0;
    int pairs = 0;
    for (int i = 0; i < search->count * search->count; i++) {
        const struct qp_tried *one = &search->tried[i / search->count],
                              *other = &search->tried[i % search->count];
        const int steps = qp_space_digit(space, one->configuration, parameter) -
                          qp_space_digit(space, other->configuration, parameter);
        if (steps <= 0 || one->configuration - other->configuration != steps * stride)
            continue;
        const double apart = fabs(log(qp_tried_seconds(one) / qp_tried_seconds(other)));
        sum += isnan(apart) ? 0.0 : apart;
        most = fmax(most, apart);
        pairs += !isnan(apart);
    }
    if (pairs > 0)
        fprintf(out,
                "%s: %.2f times on average, %.2f at most, in %d pair%s that differ%s in it alone\n",
                space->parameter[parameter].name, exp(sum / pairs), exp(most), pairs,
                pairs > 1 ? "s" : "", pairs > 1 ? "" : "s");
}

static void print_best(FILE *out, const struct qp_space *space, const struct qp_search *search)
{
    char text[QP_SPACE_TEXT];
    const double best = qp_tried_seconds(&search->tried[search->best]),
                 usual = qp_tried_seconds(&search->tried[0]);
    double slowest = best;
    for (int i = 0; i < search->count; i++)
        slowest = fmax(slowest, qp_tried_seconds(&search->tried[i]));
    fprintf(out, "%s, %.4g ms",
            qp_space_text(space, search->tried[search->best].configuration, text), 1e3 * best);
    if (!isnan(usual))
        fprintf(out, ", %.2f times as fast as the default%s", usual / best,
                search->best > 0 && search->even_with_default ? " (its samples do not decide)"
                                                              : "");
    fprintf(out, ", %.2f times as the slowest\n", slowest / best);
}

/* Keeps the best if it is faster than the default, on a machine whose times can say so. */
static void keep_winner(FILE *out, const struct tune_kernel *kernel, const struct qp_search *search)
{
    static const double most_apart = 2.0;
    const struct qp_tried *usual = &search->tried[0];
    const double apart = qp_quantile(usual->samples, usual->count, 1.0) /
                         qp_quantile(usual->samples, usual->count, 0.0);
    if (apart > most_apart)
        fprintf(out,
                "nothing is kept: samples of the default differ by a factor of %.1f, so this "
                "machine is busy; tune again when it is idle\n",
                apart);
    else if (search->best == 0 || search->even_with_default)
        fprintf(out, "%s\n",
                kernel->stays != NULL
                    ? kernel->stays
                    : "no configuration is faster here than the default, which is kept");
    else
        kernel->won(kernel->user, search->tried[search->best].configuration, out);
}

static void print_report(FILE *out, const struct tune_kernel *kernel, const struct qp_space *space,
                         const struct qp_search *search)
{
    char text[QP_SPACE_TEXT];
    for (int k = 0; k < space->terms && !isnan(search->model_error); k++)
        fprintf(out, "%s%s", k == 0 ? "the model of time, the largest of " : ", ",
                space->term[k].name);
    if (!isnan(search->model_error))
        fprintf(out, ": off by %.0f %% in the median\n", 100.0 * search->model_error);
    for (int k = 0; k < space->parameters; k++)
        print_pairs(out, space, k, search);
    if (search->even)
        fprintf(out, "even: %s\n",
                qp_space_text(space, search->tried[search->rival].configuration, text));
    if (kernel->won != NULL && search->whole && search->best >= 0)
        keep_winner(out, kernel, search);
    fprintf(out, "best of %d configurations, %d wrong: ", search->count, search->wrong);
    if (search->best < 0)
        fputs("none\n", out);
    else
        print_best(out, space, search);
}

/* ---- The command ---- */

/* Takes over what -o holds of this space already. */
static enum qp_status go_on(struct session *session)
{
    const char *path = session->options->output;
    const struct t4 *known = &session->known;
    struct t4 earlier;
    if (path == NULL || strcmp(path, "-") == 0 || access(path, F_OK) != 0)
        return QP_OK;
    enum qp_status status = t4_read(path, &earlier);
    if (status == QP_OK &&
        (strcmp(earlier.kernel, known->kernel) != 0 || strcmp(earlier.device, known->device) != 0 ||
         strcmp(earlier.space.text, known->space.text) != 0))
        status = qp_fail(QP_BAD_INPUT,
                         "%s is of another space, or of a kernel that was changed since: %s on %s; "
                         "give -o another name",
                         path, earlier.kernel, earlier.device);
    for (int i = 0; status == QP_OK && i < earlier.count; i++)
        status = keep(session, &earlier.tried[i]);
    t4_destroy(&earlier);
    return status;
}

static enum qp_status search(struct session *session, struct qp_search *out)
{
    const struct options *options = session->options;
    const struct tune_kernel *kernel = session->kernel;
    const struct qp_search_desc desc = {.space = &session->known.space,
                                        .strategy = options->strategy,
                                        .seed = options->seed,
                                        .runs = options->runs,
                                        .seconds = options->budget,
                                        .attempt = attempt,
                                        .ahead = kernel->ahead != NULL ? prepare : NULL,
                                        .on_run = on_run,
                                        .user = session};
    session->place = qp_alloc_zero((size_t)desc.space->count, sizeof *session->place, "results");
    enum qp_status status = session->place != NULL ? go_on(session) : QP_NO_MEMORY;
    if (status != QP_OK)
        return status;
    status = qp_search(&desc, out);
    progress_end();
    status = command_unless_interrupted(status);
    if (status == QP_OK)
        print_report(options->table, kernel, desc.space, out);
    if (session->known.count > 0 && options->output != NULL) {
        const enum qp_status written = t4_write(options->output, &session->known);
        status = status == QP_OK ? written : status;
    }
    return status;
}

enum qp_status tune_search(struct command *command, const struct tune_kernel *kernel)
{
    const struct options *options = command->options;
    struct session session = {.options = options, .kernel = kernel, .written = qp_clock()};
    struct qp_search found = {.count = 0};
    struct t4 *known = &session.known;
    enum qp_status status = qp_space_read(kernel->space, &known->space);
    known->kernel = qp_copy_text(kernel->name, "a name");
    known->device = qp_copy_text(kernel->device, "a name");
    if (status == QP_OK && (known->kernel == NULL || known->device == NULL))
        status = QP_NO_MEMORY;
    if (status == QP_OK && options->list)
        fprintf(options->table,
                "%s\n%d configurations, and %d that are excluded; the default has the "
                "first values\n",
                kernel->space, known->space.count, known->space.size - known->space.count);
    else if (status == QP_OK)
        status = search(&session, &found);
    if (!options->list && (!found.whole || found.best < 0))
        command->code = EXIT_FAILED;
    qp_search_destroy(&found);
    t4_destroy(known);
    free(session.place);
    if (status == QP_OK && cmd_interrupted)
        sentence_say("interrupted");
    return status;
}

enum qp_status tune_recorded(struct command *command)
{
    struct t4 recorded;
    enum qp_status status = t4_read(command->options->simulate, &recorded);
    if (status != QP_OK)
        return status;
    qsort(recorded.tried, (size_t)recorded.count, sizeof *recorded.tried, by_configuration);
    const struct tune_kernel kernel = {.name = recorded.kernel,
                                       .device = recorded.device,
                                       .space = recorded.space.text,
                                       .attempt = attempt_recorded,
                                       .user = &recorded};
    status = tune_search(command, &kernel);
    t4_destroy(&recorded);
    return status;
}
