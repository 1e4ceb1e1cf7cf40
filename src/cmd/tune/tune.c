/* SPDX-License-Identifier: MIT */
/* quadpass tune: the fastest configuration of a kernel, searched for here or in a space that was recorded. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/status.h"
#include "base/watch.h"
#include "cmd/output/progress.h"
#include "cmd/output/sentence.h"
#include "cmd/tune/live.h"
#include "cmd/tune/t4.h"

/* Seconds from one file to the next while a search goes on. */
static const double between_files = 2.0;

/* A search, and what its file knows, of this run or an earlier one. */
struct session {
    const struct options *options;
    const struct tune_kernel *kernel;
    struct t4 known;
    int *place; /* of a valid configuration in `known`, from 1 on; 0: it is not there */
    double written;
};

/* ---- Times ---- */

static enum qp_status keep(struct session *session, const struct qp_tried *tried)
{
    struct t4 *known = &session->known;
    const int at = qp_space_find(session->kernel->space, tried->configuration);
    if (session->place[at] == 0) {
        void *more = realloc(known->tried, ((size_t)known->count + 1) * sizeof *known->tried);
        if (more == NULL)
            return qp_fail(QP_NO_MEMORY, "no memory for results");
        known->tried = more;
        session->place[at] = ++known->count;
    }
    known->tried[session->place[at] - 1] = *tried;
    return QP_OK;
}

/* Appends the next sample of a recorded configuration, before the first all else; false: there is none. */
static bool replay(const struct qp_tried *recorded, struct qp_tried *tried)
{
    const int count = tried->count;
    if (count == 0) {
        *tried = *recorded;
        tried->count = 0;
    }
    if (count < recorded->count)
        tried->samples[tried->count++] = recorded->samples[count];
    return tried->count > count || recorded->end != QP_TRIED_CORRECT;
}

static enum qp_status attempt(void *user, struct qp_tried *tried)
{
    struct session *session = user;
    const int at = qp_space_find(session->kernel->space, tried->configuration);
    const time_t now = time(NULL);
    if (session->place[at] > 0 && replay(&session->known.tried[session->place[at] - 1], tried))
        return QP_OK;
    if (tried->count == 0)
        strftime(tried->when, sizeof tried->when, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    enum qp_status status = session->kernel->attempt(session->kernel->user, tried);
    t4_round(tried);
    return status == QP_OK ? keep(session, tried) : status;
}

static enum qp_status attempt_recorded(void *user, struct qp_tried *tried)
{
    const struct t4 *recorded = user;
    char text[QP_SPACE_TEXT];
    for (int i = 0; i < recorded->count; i++) {
        if (recorded->tried[i].configuration == tried->configuration) {
            replay(&recorded->tried[i], tried);
            return QP_OK;
        }
    }
    return qp_fail(QP_BAD_INPUT,
                   "the recorded space has no result of %s: another search needs one that was "
                   "recorded whole, by --strategy exhaustive",
                   qp_space_text(recorded->space, tried->configuration, text));
}

static void terms(void *user, int configuration, double out[QP_SEARCH_TERMS])
{
    const struct session *session = user;
    session->kernel->terms(session->kernel->user, configuration, out);
}

static void ahead(void *user, const int *configurations, int count)
{
    const struct session *session = user;
    session->kernel->ahead(session->kernel->user, configurations, count);
}

/* ---- Report ---- */

static void on_run(void *user, const struct qp_search *now)
{
    struct session *session = user;
    const double clock = qp_clock();
    char text[QP_SPACE_TEXT] = "none is correct so far";
    if (now->best >= 0)
        qp_space_text(session->kernel->space, now->tried[now->best].configuration, text);
    progress_say("tune, run %d, best so far %.4g ms: %s", now->count,
                 now->best >= 0 ? 1e3 * qp_tried_seconds(&now->tried[now->best]) : NAN, text);
    if (session->options->output != NULL && clock - session->written > between_files &&
        t4_write(session->options->output, &session->known) == QP_OK) /* the last one reports */
        session->written = clock;
}

static void print_space(FILE *out, const struct qp_space *space)
{
    for (int k = 0; k < space->parameters; k++) {
        const struct qp_space_parameter *p = &space->parameter[k];
        fprintf(out, p->is_fact ? "%-16s is" : "%-16s  ", p->name);
        for (int i = 0; i < p->count; i++)
            fprintf(out, " %s%s", p->text[i], i == 0 && p->count > 1 ? " (default)" : "");
        fputc('\n', out);
    }
    for (const char *at = space->text; (at = strstr(at, "tune not ")) != NULL; at++)
        fprintf(out, "%.*s\n", (int)strcspn(at + 5, "\n"), at + 5);
    fprintf(out, "%d configurations, %d of them excluded\n", space->size,
            space->size - space->count);
}

static double slowest(const struct qp_search *search)
{
    double most = 0.0;
    for (int i = 0; i < search->count; i++)
        most = fmax(most, qp_tried_seconds(&search->tried[i]));
    return most;
}

static void print_report(FILE *out, const struct qp_space *space, const struct qp_search *search)
{
    char text[QP_SPACE_TEXT];
    if (!isnan(search->model_error))
        fprintf(out, "the model is off by %.0f %% in the median of %d runs\n",
                100.0 * search->model_error, search->model_runs);
    for (int k = 0; k < space->parameters && search->best >= 0; k++) {
        const double contrast = qp_search_contrast(search, space, k);
        if (!isnan(contrast))
            fprintf(out, "%-16s matters %.2f times: the best by its worst value / the best\n",
                    space->parameter[k].name, contrast);
    }
    if (search->even)
        fprintf(out, "even with %s\n",
                qp_space_text(space, search->tried[search->rival].configuration, text));
    fprintf(out, "best of %d configurations, %d wrong: ", search->count, search->wrong);
    if (search->best < 0) {
        fprintf(out, "none\n");
        return;
    }
    const double best = qp_tried_seconds(&search->tried[search->best]),
                 usual = qp_tried_seconds(&search->tried[0]);
    fprintf(out, "%s, %.4g ms",
            qp_space_text(space, search->tried[search->best].configuration, text), 1e3 * best);
    if (!isnan(usual))
        fprintf(out, ", %.2f times as fast as the default", usual / best);
    fprintf(out, ", %.2f times as the slowest\n", slowest(search) / best);
}

/* ---- The command ---- */

/* Reads what -o holds of this space already. */
static enum qp_status go_on(struct session *session)
{
    const char *path = session->options->output;
    const struct tune_kernel *kernel = session->kernel;
    struct t4 earlier;
    if (path == NULL || strcmp(path, "-") == 0 || access(path, F_OK) != 0)
        return QP_OK;
    enum qp_status status = t4_read(path, kernel->space, &earlier);
    if (status == QP_OK &&
        (strcmp(earlier.kernel, kernel->name) != 0 || strcmp(earlier.device, kernel->device) != 0))
        status = qp_fail(QP_BAD_INPUT, "%s is of %s on %s: take another name for -o", path,
                         earlier.kernel, earlier.device);
    for (int i = 0; status == QP_OK && i < earlier.count; i++)
        status = keep(session, &earlier.tried[i]);
    t4_destroy(&earlier);
    return status;
}

static enum qp_status search(struct session *session, struct qp_search *out)
{
    const struct options *options = session->options;
    const struct qp_search_desc desc = {.space = session->kernel->space,
                                        .strategy = options->strategy,
                                        .seed = options->seed,
                                        .runs = options->runs,
                                        .seconds = options->budget,
                                        .attempt = attempt,
                                        .terms = session->kernel->terms != NULL ? terms : NULL,
                                        .ahead = session->kernel->ahead != NULL ? ahead : NULL,
                                        .on_run = on_run,
                                        .user = session};
    const size_t places = (size_t)session->kernel->space->count;
    session->place = qp_alloc_zero(places, sizeof *session->place, "results");
    enum qp_status status = session->place != NULL ? go_on(session) : QP_NO_MEMORY;
    if (status != QP_OK)
        return status;
    status = qp_search(&desc, out);
    progress_end();
    if (status != QP_OK && cmd_interrupted && qp_watch_is_sentence(qp_error()))
        status = QP_OK;
    if (status == QP_OK)
        print_report(options->table, session->kernel->space, out);
    if (out->count > 0 && options->output != NULL) {
        const enum qp_status written = t4_write(options->output, &session->known);
        status = status == QP_OK ? written : status;
    }
    return status;
}

int tune_search(const struct options *options, const struct tune_kernel *kernel)
{
    struct session session = {.options = options, .kernel = kernel, .written = qp_clock()};
    struct qp_search found = {.count = 0};
    session.known = (struct t4){.kernel = qp_copy_text(kernel->name, "a name"),
                                .device = qp_copy_text(kernel->device, "a name"),
                                .space = kernel->space};
    enum qp_status status =
        session.known.kernel != NULL && session.known.device != NULL ? QP_OK : QP_NO_MEMORY;
    if (options->list)
        print_space(options->table, kernel->space);
    else if (status == QP_OK)
        status = search(&session, &found);
    const bool good = options->list || (found.whole && found.best >= 0);
    qp_search_destroy(&found);
    t4_destroy(&session.known);
    free(session.place);
    if (status != QP_OK)
        return cmd_failed(status);
    if (cmd_interrupted)
        sentence_say("interrupted");
    return good ? EXIT_GOOD : EXIT_FAILED;
}

static int tune(const struct options *options)
{
    struct t4 recorded = {.count = 0};
    struct tune_kernel kernel;
    enum qp_status status;
    if (options->simulate == NULL) {
        status = tune_live(options, &kernel);
    } else {
        status = t4_read(options->simulate, NULL, &recorded);
        kernel = (struct tune_kernel){.name = recorded.kernel,
                                      .device = recorded.device,
                                      .space = recorded.space,
                                      .attempt = attempt_recorded,
                                      .user = &recorded};
    }
    const int code = status == QP_OK ? tune_search(options, &kernel) : cmd_failed(status);
    if (status == QP_OK && kernel.end != NULL)
        kernel.end(kernel.user);
    t4_destroy(&recorded);
    return code;
}

int cmd_tune(int argc, char **argv)
{
    static const struct options_form form = {
        "tune", "[FILE.frag|OP/ROW]",
        "Searches the configurations of a kernel's program, or those of a recorded space, for the "
        "fastest. Each is judged before it is timed; what was tried is kept as T4 results."};
    struct options options;
    options_read(argc, argv, &form, &options);
    if ((options.word_count == 0) == (options.simulate == NULL)) {
        sentence_say("tune takes a kernel file or a row, or a recorded space by --simulate");
        return EXIT_USAGE;
    }
    cmd_catch_interrupt();
    return tune(&options);
}
