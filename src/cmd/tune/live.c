/* SPDX-License-Identifier: MIT */
/* Configurations of kernel files, tried here: each program is compiled, judged against the untuned one of built-in templates
 * bit for bit, at an awkward size and at its own, and then timed. */
#include "cmd/tune/live.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/status.h"
#include "base/watch.h"
#include "base/whole.h"
#include "cmd/output/progress.h"
#include "cmd/output/sentence.h"
#include "stencil/machine.h"
#include "toolkit/kernel.h"
#include "toolkit/kernel_file.h"
#include "trial/trial.h"

enum { AWKWARD, OWN, SIZES };

/* Steps of a sample are a multiple of all numbers of steps in one go but 10, and last so long. */
enum { MULTIPLE = 48 };
static const double sample_seconds = 0.04, patience = 60.0;

/* A kernel at one of the sizes: the same random arrays for all, and the states after so many steps, each one after the other
 * as the kernel's type. */
struct judged {
    struct qp_size size;
    int steps;
    char *arrays, *wanted;
};

/* How a configuration was judged at the awkward size, by one of the processes that compile ahead. */
struct verdict {
    bool is_known;
    enum qp_tried_end end;
    char why[sizeof((struct qp_tried *)0)->why];
};

/* A program that waits for its next sample. */
struct waiting {
    int configuration; /* below 0: none */
    struct qp_build build;
    struct qp_machine machine;
};

struct live {
    const struct options *options;
    struct qp_kernel_file *file;
    struct qp_kernel_file_owner *tuned; /* a copy, whose lines `tuned` change */
    struct qp_stencil stencil;
    const char *target;
    struct judged judged[SIZES];
    struct qp_space space;
    struct verdict *verdict;   /* of all valid configurations, in memory that processes share */
    struct waiting waiting[2]; /* the latest, and the one before it */
    char device[256];
};

/* ---- Runs ---- */

static size_t bytes_of(const struct live *live)
{
    return qp_typed_bytes(live->file->desc.output_type);
}

/* Random values, whole ones of integers; and room for the states. */
static enum qp_status make_arrays(const struct live *live, struct judged *out)
{
    const enum qp_array_type type = live->file->desc.output_type;
    const size_t cells = (size_t)out->size.width * (size_t)out->size.height,
                 count = cells * (size_t)live->file->inputs;
    uint64_t random = 1;
    out->arrays = qp_alloc(count, bytes_of(live), "a kernel's arrays");
    out->wanted = qp_alloc(cells * (size_t)live->file->states, bytes_of(live), "its states");
    for (size_t i = 0; i < count && out->wanted != NULL && out->arrays != NULL; i++) {
        double value = qp_random(&random, 0.0, 1.0);
        value = qp_array_is_whole(type) ? floor(10.0 * value) : (double)(float)value;
        qp_typed_put(type, &value, 1, out->arrays + i * bytes_of(live));
    }
    return out->wanted != NULL && out->arrays != NULL ? QP_OK : QP_NO_MEMORY;
}

static enum qp_status put_arrays(const struct live *live, const struct judged *judged,
                                 struct qp_machine *machine)
{
    enum qp_status status = QP_OK;
    for (int k = 0; k < live->file->inputs && status == QP_OK; k++) {
        memcpy(machine->cells, judged->arrays + (size_t)k * machine->bytes, machine->bytes);
        status = qp_machine_put(machine, k);
    }
    return status;
}

static enum qp_status take(struct qp_machine *machine, int steps, double *seconds)
{
    const double start = qp_clock();
    enum qp_status status = qp_machine_take(machine, steps);
    if (status == QP_OK)
        status = qp_machine_finish(machine);
    *seconds = qp_clock() - start;
    return status;
}

static enum qp_status open_at(const struct live *live, const struct qp_build *build, int size,
                              struct qp_machine *out)
{
    const struct qp_size of = live->judged[size].size;
    enum qp_status status = qp_machine_open(build, live->file, of.width, of.height, 0, 0, out);
    out->limit = patience;
    if (status == QP_OK)
        status = put_arrays(live, &live->judged[size], out);
    return status == QP_OK ? qp_machine_load(out, MULTIPLE) : status;
}

/* The states after the steps of a size; compares them with those that are wanted, or keeps them. */
static enum qp_status judge(struct live *live, int size, struct qp_machine *machine,
                            struct qp_tried *tried)
{
    struct judged *judged = &live->judged[size];
    const size_t bytes = machine->bytes, one = bytes_of(live);
    double seconds;
    enum qp_status status = take(machine, judged->steps, &seconds);
    for (int k = 0; k < live->file->states && status == QP_OK; k++) {
        char *wanted = judged->wanted + (size_t)k * bytes, *cells = machine->cells;
        status = qp_machine_get(machine, k);
        if (tried == NULL)
            memcpy(wanted, cells, bytes);
        if (status != QP_OK || memcmp(wanted, cells, bytes) == 0)
            continue;
        size_t i = 0;
        while (memcmp(wanted + i, cells + i, one) == 0)
            i += one;
        tried->end = QP_TRIED_CORRECTNESS;
        snprintf(tried->why, sizeof tried->why,
                 "%s is %.9g at x = %d, y = %d of %d x %d after %d steps, and not %.9g",
                 live->file->array[k].name,
                 qp_typed_get(live->file->desc.output_type, cells + i, 0),
                 (int)(i / one) % machine->width + 1, (int)(i / one) / machine->width + 1,
                 machine->width, machine->height, judged->steps,
                 qp_typed_get(live->file->desc.output_type, wanted + i, 0));
        break;
    }
    return status;
}

/* ---- Configurations ---- */

static void close_waiting(struct waiting *waiting)
{
    qp_machine_close(&waiting->machine);
    qp_build_forget(&waiting->build);
    waiting->configuration = -1;
}

/* Makes the program of a configuration. */
static enum qp_status build(struct live *live, int configuration, struct qp_build *out)
{
    char text[QP_SPACE_TEXT], line[QP_SPACE_TEXT + 16];
    struct qp_stencil stencil = live->stencil;
    live->tuned->tunings = 0;
    stencil.file = &live->tuned->file;
    snprintf(line, sizeof line, "%s %s", live->target,
             qp_space_text(&live->space, configuration, text));
    const enum qp_status status = qp_kernel_file_tune(live->tuned, line);
    return status == QP_OK ? qp_build_make(&stencil, live->target, out) : status;
}

/* The program of a configuration that was judged, which waits or is made again. */
static enum qp_status find_waiting(struct live *live, int configuration, struct waiting **out)
{
    struct waiting *const first = &live->waiting[0], *const second = &live->waiting[1];
    if (first->configuration != configuration) {
        const struct waiting other = *first;
        *first = *second;
        *second = other;
    }
    *out = first;
    if (first->configuration == configuration)
        return QP_OK;
    close_waiting(first);
    const enum qp_status status = build(live, configuration, &first->build);
    if (status == QP_OK)
        first->configuration = configuration;
    return status;
}

/* How a configuration ended that cannot be tried to its end; interrupts and what this computer has not end the search. */
static enum qp_status note_end(struct qp_tried *tried, enum qp_tried_end end, enum qp_status status)
{
    if (status == QP_OK || status == QP_NO_MEMORY || status == QP_BAD_USE || qp_watch_wants_end())
        return status;
    tried->end = status == QP_DEVICE ? QP_TRIED_TIMEOUT : end;
    snprintf(tried->why, sizeof tried->why, "%s", qp_error());
    return QP_OK;
}

static enum qp_status judge_awkward(struct live *live, const struct qp_build *made,
                                    struct qp_tried *tried)
{
    struct qp_machine machine;
    enum qp_status status = open_at(live, made, AWKWARD, &machine);
    if (status == QP_OK)
        status = judge(live, AWKWARD, &machine, tried);
    qp_machine_close(&machine);
    return note_end(tried, QP_TRIED_RUNTIME, status);
}

/* Judges a program at both sizes; that of its own waits for samples. */
static enum qp_status judge_all(struct live *live, struct waiting *w, struct qp_tried *tried)
{
    const struct verdict *early = &live->verdict[qp_space_find(&live->space, tried->configuration)];
    enum qp_status status = QP_OK;
    if (early->is_known) {
        tried->end = early->end;
        memcpy(tried->why, early->why, sizeof tried->why);
    } else {
        status = judge_awkward(live, &w->build, tried);
    }
    if (status != QP_OK || tried->end != QP_TRIED_CORRECT)
        return status;
    status = open_at(live, &w->build, OWN, &w->machine);
    if (status == QP_OK)
        status = judge(live, OWN, &w->machine, tried);
    return note_end(tried, QP_TRIED_RUNTIME, status);
}

static enum qp_status attempt(void *user, struct qp_tried *tried)
{
    struct live *live = user;
    struct waiting *w;
    const double start = qp_clock();
    double seconds;
    enum qp_status status = find_waiting(live, tried->configuration, &w);
    if (tried->count == 0) {
        tried->end = QP_TRIED_CORRECT;
        status = note_end(tried, QP_TRIED_COMPILE, status);
        tried->times[QP_TRIED_COMPILING] = w->build.seconds;
    }
    if (status != QP_OK || tried->end != QP_TRIED_CORRECT)
        return status;
    if (w->machine.process == 0 && tried->count == 0)
        status = judge_all(live, w, tried);
    else if (w->machine.process == 0)
        status = open_at(live, &w->build, OWN, &w->machine);
    if (tried->count == 0)
        tried->times[QP_TRIED_JUDGING] = qp_clock() - start - w->build.seconds;
    if (status != QP_OK || tried->end != QP_TRIED_CORRECT)
        return status;
    status = take(&w->machine, live->judged[OWN].steps, &seconds);
    tried->samples[tried->count++] = seconds / live->judged[OWN].steps;
    return note_end(tried, QP_TRIED_RUNTIME, status);
}

/* Makes and judges one program in a process of its own, whose outcome is in the cache and in `verdict`. */
static void prepare_one(void *user, int configuration)
{
    struct live *live = user;
    struct verdict *early = &live->verdict[qp_space_find(&live->space, configuration)];
    struct qp_tried tried = {.configuration = configuration};
    struct qp_build made;
    if (build(live, configuration, &made) != QP_OK || judge_awkward(live, &made, &tried) != QP_OK)
        return;
    early->end = tried.end;
    memcpy(early->why, tried.why, sizeof early->why);
    early->is_known = true;
}

static void ahead(void *user, const int *configurations, int count)
{
    tune_on_all_cores(prepare_one, user, configurations, count);
}

/* Keeps the fastest for other commands, and prints it as a line of a head. */
static void won(void *user, int configuration)
{
    const struct live *live = user;
    char values[QP_SPACE_TEXT];
    uint64_t key;
    qp_space_text(&live->space, configuration, values);
    sentence_say("//@ tuned %s %s", live->target, values);
    if (qp_build_key(&live->stencil, live->target, &key) != QP_OK ||
        qp_winner_write(key, live->file->path, live->device, values) != QP_OK)
        sentence_say("it is not kept in the user's cache: %s", qp_error());
}

/* ---- The kernel ---- */

/* The untuned program's states, its steps in one go, and how many steps a sample takes. */
static enum qp_status learn(struct live *live, int *at_once)
{
    struct qp_stencil untuned = live->stencil;
    struct qp_build made;
    double seconds = 0.0;
    untuned.is_built_in = untuned.is_untuned = true;
    live->tuned->tunings = 0;
    untuned.file = &live->tuned->file;
    enum qp_status status = qp_build_make(&untuned, live->target, &made);
    for (int size = 0; size < SIZES && status == QP_OK; size++) {
        struct qp_machine machine;
        struct judged *judged = &live->judged[size];
        status = make_arrays(live, judged);
        if (status == QP_OK)
            status = open_at(live, &made, size, &machine);
        for (int run = 0; run < 2 && status == QP_OK && size == OWN; run++)
            status = take(&machine, MULTIPLE, &seconds);
        if (size == OWN && status == QP_OK) {
            judged->steps = MULTIPLE * (int)fmin(1000.0, ceil(sample_seconds / seconds));
            status = put_arrays(live, judged, &machine);
        }
        if (status == QP_OK)
            status = judge(live, size, &machine, NULL);
        if (judged->wanted == NULL)
            break;
        *at_once = machine.at_once;
        snprintf(live->device, sizeof live->device, "%s", machine.name);
        qp_machine_close(&machine);
    }
    qp_build_forget(&made);
    return status;
}

static enum qp_status prepare(struct live *live, char **space)
{
    const struct options *options = live->options;
    size_t size = 0;
    int at_once = 1;
    enum qp_status status = cmd_kernel_file(options, options->words[0], &live->file);
    if (status == QP_OK)
        status = qp_stencil_read(live->file, &live->stencil);
    live->stencil.is_served = true;
    if (status == QP_OK && !qp_stencil_has(&live->stencil, live->target))
        status = qp_fail(QP_BAD_USE, "tune takes --target c, compute, cuda or gl, not '%s'",
                         live->target);
    if (status != QP_OK)
        return status;
    const struct qp_kernel_file_head *head = &live->file->head;
    const int reach = qp_most(live->stencil.reach, 1);
    live->judged[AWKWARD] = (struct judged){{61 + 2 * reach, 37 + reach}, 25, NULL, NULL};
    live->judged[OWN].size = head->width > 0 ? (struct qp_size){head->width, head->height}
                                             : (struct qp_size){1024, 1024};
    live->tuned = qp_alloc(1, sizeof *live->tuned, "a kernel file");
    if (live->tuned == NULL)
        return QP_NO_MEMORY;
    *live->tuned = *(const struct qp_kernel_file_owner *)live->file;
    progress_say("the untuned program of %s", live->file->path);
    status = learn(live, &at_once);
    FILE *out = status == QP_OK ? open_memstream(space, &size) : NULL;
    if (out != NULL) {
        status = qp_stencil_put_space(&live->stencil, live->target, at_once, out);
        fclose(out);
    }
    if (status == QP_OK)
        status = qp_space_read(*space, &live->space);
    if (status != QP_OK)
        return status;
    live->verdict = mmap(NULL, (size_t)live->space.count * sizeof *live->verdict,
                         PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return live->verdict != MAP_FAILED ? QP_OK : qp_fail(QP_NO_MEMORY, "no memory for a space");
}

int tune_live(const struct options *options)
{
    struct live live = {.options = options,
                        .target = options->machine != NULL ? options->machine : "c",
                        .waiting = {{.configuration = -1}, {.configuration = -1}}};
    char *space = NULL, name[512];
    int code;
    signal(SIGCHLD, SIG_DFL);
    const enum qp_status status = prepare(&live, &space);
    progress_end();
    if (status == QP_OK) {
        snprintf(name, sizeof name, "%s, %s, %d x %d", live.stencil.file_name, live.target,
                 live.judged[OWN].size.width, live.judged[OWN].size.height);
        code = tune_search(options, &(struct tune_kernel){.name = name,
                                                          .device = live.device,
                                                          .space = space,
                                                          .attempt = attempt,
                                                          .ahead = ahead,
                                                          .won = won,
                                                          .user = &live});
    } else {
        code = cmd_failed(status);
    }
    for (int k = 0; k < 2; k++)
        close_waiting(&live.waiting[k]);
    for (int k = 0; k < SIZES; k++) {
        free(live.judged[k].arrays);
        free(live.judged[k].wanted);
    }
    if (live.verdict != NULL && live.verdict != MAP_FAILED)
        munmap(live.verdict, (size_t)live.space.count * sizeof *live.verdict);
    qp_space_destroy(&live.space);
    free(space);
    free(live.tuned);
    qp_kernel_file_destroy(&live.file);
    return code;
}
