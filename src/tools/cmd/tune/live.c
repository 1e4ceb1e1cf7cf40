/* SPDX-License-Identifier: MIT */
/* Configurations of kernel files, tried here: each program is compiled, judged against the untuned
 * one of built-in templates bit for bit, at two awkward sizes and at its own, and then timed. */
#include "tools/cmd/tune/live.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../templates/sizes.h"
#include "lab/trial/trial.h"
#include "lab/walk/samples.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/status.h"
#include "toolkit/base/watch.h"
#include "toolkit/base/whole.h"
#include "toolkit/io/cache.h"
#include "toolkit/kernel_file/kernel_file.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/output/sentence.h"
#include "tools/cmd/tune/judged.h"
#include "tools/stencil/conf.h"
#include "tools/stencil/machine.h"
#include "tools/tune/equal.h"

/* Awkward sizes by the reach, and of two tiles each way (templates/sizes.h); and the own. */
enum { REACH, TILES, OWN, SIZES };

/* Verdict on a configuration at the awkward sizes, by one of the processes that compile ahead, and
 * how long it compiled. */
struct verdict {
    bool is_known;
    double seconds;
    enum qp_tried_end end;
    char why[sizeof((struct qp_tried *)0)->why];
};

/* A program that waits for its next sample. */
struct waiting {
    int configuration; /* below 0: none */
    struct qp_build build;
    struct qp_machine machine;
    int launches; /* launches after which an asynchronous one is near enough */
};

struct live {
    const struct options *options;
    struct qp_kernel_file *file;
    struct qp_kernel_file_owner *tuned; /* a copy, whose lines `tuned` change */
    struct qp_stencil stencil;
    bool is_conf; /* the file is a configuration of the thesis's */
    const char *target;
    struct judged judged[SIZES];
    struct qp_space space;
    struct verdict *verdict;   /* all valid configurations', in memory that processes share */
    struct waiting waiting[2]; /* the latest, and the one before it */
    char device[RECORDS_CPU + 160];
};

/* ---- Asynchronous programs ---- */

/* Asynchronous programs of a kernel file (its line `sync`), whose numbers are none of the plain
 * program's: the score is the time to come as near to the limit as that does, and to stay so
 * (tools/tune/equal.h). Values are of a configuration, such as "sync=async2 alpha=6 block=8". */

/* Said where the plain program, which is the default, is not slower. */
static const char near_stays[] = "no variant is faster here than the plain program";

/* A configuration as lines of a head: `sync`, and of programs with launches `tuned`, which is else
 * empty. */
static void near_lines(const char *target, const char *values, char sync[48], char tuned[48])
{
    char kind[16] = "";
    int alpha = 0, block = 0;
    sscanf(values, "sync=%15s alpha=%d block=%d", kind, &alpha, &block);
    snprintf(sync, 48, "%s", kind);
    tuned[0] = '\0';
    if (strncmp(kind, "async", 5) == 0) {
        snprintf(sync, 48, "%s alpha=%d", kind, alpha);
        snprintf(tuned, 48, "%.20s block=%d", target, block);
    }
}

/* Sets the values in a head. Errors: those of qp_kernel_file_tune. */
static enum qp_status near_set(struct qp_kernel_file_owner *head, const char *target,
                               const char *values)
{
    char sync[48], tuned[48];
    near_lines(target, values, sync, tuned);
    head->sync.line = 0;
    const enum qp_status status = qp_kernel_file_take_sync(head, sync, 1);
    return status == QP_OK && tuned[0] != '\0' ? qp_kernel_file_tune(head, tuned) : status;
}

/* Prints the values as lines of a head, and what their time is of. */
static void near_put(const struct judged *judged, const char *target, const char *values, FILE *out)
{
    char sync[48], tuned[48];
    near_lines(target, values, sync, tuned);
    fprintf(out, "//@ sync %s\n", sync);
    if (tuned[0] != '\0')
        fprintf(out, "//@ tuned %s\n", tuned);
    fprintf(out,
            "times are until it stays within %.3g of the limit, as %d plain steps come to in %.4g "
            "ms; it is not kept, for it changes numbers\n",
            judged->enough, judged->steps, 1e3 * judged->plain);
}

/* The largest distance of the machine's cells from others, or from 0, and the cell that has it. */
static double near_distance(const struct qp_machine *machine, const char *from, size_t *cell)
{
    const enum qp_array_type type = machine->kernel->desc.output_type;
    double most = -1.0;
    for (size_t i = 0; i < machine->bytes / qp_typed_bytes(type); i++) {
        const double value = qp_typed_get(type, machine->cells, i),
                     other = from != NULL ? qp_typed_get(type, from, i) : 0.0,
                     distance = isfinite(value) ? fabs(value - other) : INFINITY;
        *cell = distance > most ? i : *cell;
        most = fmax(most, distance);
    }
    return most;
}

static enum qp_status near_take(struct qp_machine *machine, int launches, double *seconds)
{
    const enum qp_status status = judged_take(machine, launches, seconds);
    return status == QP_OK ? qp_machine_get(machine, 0) : status;
}

/* Follows the plain program to its limit, which becomes the wanted answer, and `enough` its
 * distance after `steps` steps, or after 40 for 0. Errors: also QP_BAD_INPUT for one that has no
 * limit soon, or has come there already.
 *
 * The limit lies as far ahead as the changes of further blocks of the steps sum up to, if they fall
 * as they did; rounding adds to each. Their sum must be little beside `enough`. */
static enum qp_status near_learn(struct judged *judged, int steps, struct qp_machine *plain)
{
    enum { BLOCKS = 1024, USUAL = 40 };
    const double ulp = judged->file->desc.output_type == QP_ARRAY_DOUBLE ? 0x1p-53 : 0x1p-24;
    char *first = qp_alloc_zero(plain->bytes, 1, "a state");
    double before, change = 0.0, noise, seconds;
    bool near = false, stalls = false;
    size_t cell;
    enum qp_status status = first != NULL ? judged_put(judged, plain) : QP_NO_MEMORY;
    steps = steps > 0 ? steps : USUAL;
    judged->steps = steps;
    for (int k = 0; k < BLOCKS && status == QP_OK && !near && !stalls && isfinite(change); k++) {
        before = k > 1 ? change : INFINITY;
        status = near_take(plain, steps, &seconds);
        judged->plain = k > 0 ? judged->plain : seconds;
        noise = ulp * steps * near_distance(plain, NULL, &cell);
        change = noise + near_distance(plain, k > 1 ? judged->wanted : first, &cell);
        memcpy(k > 0 ? judged->wanted : first, plain->cells, plain->bytes);
        judged->enough = near_distance(plain, first, &cell);
        near = change < before && change / (1.0 - change / before) < 0.1 * judged->enough;
        stalls = k > 0 && change <= 2.0 * noise && isfinite(change);
    }
    free(first);
    return status != QP_OK || near
               ? status
               : qp_fail(QP_BAD_INPUT,
                         stalls ? "%s: %d plain steps come as near to a limit as rounding lets "
                                  "them; sync is tuned by fewer //@ steps"
                                : "%s: %d times its steps come near to no limit; sync is tuned for "
                                  "kernels that converge, by more //@ steps",
                         plain->kernel->path, stalls ? steps : BLOCKS);
}

/* Finds the launch from which on a program stays near enough; it is wrong if there is none. Looks
 * after each launch more, or of many a 64th part; at three runs, for some kinds race. */
static enum qp_status near_judge(const struct judged *judged, struct qp_machine *machine,
                                 const char *values, int *launches, struct qp_tried *tried)
{
    int alpha = 0;
    sscanf(values, "sync=async%*d alpha=%d", &alpha);
    const double most = 4.0 * judged->steps / (alpha + 1.0) + 4.0;
    double distance = 0.0, seconds, firsts[QP_LEAST_SAMPLES];
    size_t cell = 0;
    for (int look = 0, first = 1; look < QP_LEAST_SAMPLES && first > 0; firsts[look++] = first) {
        enum qp_status status = judged_put(judged, machine);
        first = 0;
        for (int taken = 0; taken < (first > 0 ? QP_EQUAL_STAYS * first : most);) {
            status = status == QP_OK ? near_take(machine, 1 + taken / 64, &seconds) : status;
            if (status != QP_OK)
                return status;
            taken += 1 + taken / 64;
            distance = near_distance(machine, judged->wanted, &cell);
            first = distance > judged->enough ? 0 : first > 0 ? first : taken;
        }
        tried->end = first > 0 ? QP_TRIED_CORRECT : QP_TRIED_CORRECTNESS;
    }
    if (tried->end == QP_TRIED_CORRECT)
        *launches = (int)qp_quantile(firsts, QP_LEAST_SAMPLES, 0.5);
    else
        snprintf(tried->why, sizeof tried->why,
                 "%s is %.3g from its limit at x = %d, y = %d of %d x %d, and not below %.3g",
                 judged->file->array[0].name, distance, (int)cell % machine->width + 1,
                 (int)cell / machine->width + 1, machine->width, machine->height, judged->enough);
    return QP_OK;
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
    const enum qp_status status = stencil.keeps_sync ? near_set(live->tuned, live->target, text)
                                                     : qp_kernel_file_tune(live->tuned, line);
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

/* Notes how a configuration ended that cannot be tried to its end; an interrupt, or a device or
 * tool that this computer lacks, ends the search. */
static enum qp_status note_end(struct qp_tried *tried, enum qp_tried_end end, enum qp_status status)
{
    if (status == QP_OK || status == QP_NO_MEMORY || status == QP_BAD_USE || qp_watch_wants_end())
        return status;
    tried->end = status == QP_DEVICE ? QP_TRIED_TIMEOUT : end;
    snprintf(tried->why, sizeof tried->why, "%s", qp_error());
    return QP_OK;
}

/* Judges a program that has its arrays: by its states, or by how near it comes. */
static enum qp_status judge_at(struct live *live, int size, struct qp_machine *machine,
                               int *launches, struct qp_tried *tried)
{
    char text[QP_SPACE_TEXT];
    struct judged *judged = &live->judged[size];
    return live->stencil.keeps_sync
               ? near_judge(judged, machine,
                            qp_space_text(&live->space, tried->configuration, text), launches,
                            tried)
               : judged_compare(judged, machine, tried);
}

static enum qp_status judge_awkward(struct live *live, const struct qp_build *made,
                                    struct qp_tried *tried)
{
    enum qp_status status = QP_OK;
    for (int size = live->stencil.keeps_sync ? TILES : REACH;
         size < OWN && status == QP_OK && tried->end == QP_TRIED_CORRECT; size++) {
        struct qp_machine machine;
        int launches;
        if (live->judged[size].steps == 0)
            continue;
        status = judged_open(&live->judged[size], made, &machine);
        if (status == QP_OK)
            status = judge_at(live, size, &machine, &launches, tried);
        qp_machine_close(&machine);
        status = note_end(tried, QP_TRIED_RUNTIME, status);
    }
    return status;
}

/* Judges a program at all sizes; that of its own waits for samples. */
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
    status = judged_open(&live->judged[OWN], &w->build, &w->machine);
    if (status == QP_OK)
        status = judge_at(live, OWN, &w->machine, &w->launches, tried);
    return note_end(tried, QP_TRIED_RUNTIME, status);
}

static enum qp_status attempt(void *user, struct qp_tried *tried)
{
    struct live *live = user;
    struct waiting *w;
    const struct judged *own = &live->judged[OWN];
    const bool near = live->stencil.keeps_sync;
    const double start = qp_clock();
    double seconds = 0.0;
    enum qp_status status = find_waiting(live, tried->configuration, &w);
    if (tried->count == 0) {
        tried->end = QP_TRIED_CORRECT;
        status = note_end(tried, QP_TRIED_COMPILE, status);
        tried->times[QP_TRIED_COMPILING] =
            w->build.seconds +
            live->verdict[qp_space_find(&live->space, tried->configuration)].seconds;
    }
    if (status != QP_OK || tried->end != QP_TRIED_CORRECT)
        return status;
    if (w->machine.process == 0 && (near || tried->count == 0))
        status = judge_all(live, w, tried);
    else if (w->machine.process == 0)
        status = judged_open(own, &w->build, &w->machine);
    if (tried->count == 0)
        tried->times[QP_TRIED_JUDGING] = qp_clock() - start - w->build.seconds;
    if (status != QP_OK || tried->end != QP_TRIED_CORRECT)
        return status;
    if (near)
        status = judged_put(own, &w->machine);
    if (status == QP_OK)
        status = judged_take(&w->machine, near ? w->launches : own->steps, &seconds);
    tried->samples[tried->count++] = near ? seconds : seconds / own->steps;
    return note_end(tried, QP_TRIED_RUNTIME, status);
}

/* Makes and judges one program in a process of its own, whose outcome is in the cache and in
 * `verdict`. */
static void prepare_one(void *user, int configuration)
{
    struct live *live = user;
    struct verdict *early = &live->verdict[qp_space_find(&live->space, configuration)];
    struct qp_tried tried = {.configuration = configuration};
    struct qp_build made = {.seconds = 0.0};
    const enum qp_status status = build(live, configuration, &made);
    early->seconds = made.seconds;
    if (status != QP_OK || live->stencil.keeps_sync || judge_awkward(live, &made, &tried) != QP_OK)
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
static void won(void *user, int configuration, FILE *table)
{
    const struct live *live = user;
    char values[QP_SPACE_TEXT], name[QP_BUILD_NAME];
    qp_space_text(&live->space, configuration, values);
    if (live->stencil.keeps_sync)
        near_put(&live->judged[OWN], live->target, values, table);
    else
        fprintf(table, "//@ tuned %s %s\n", live->target, values);
    if (live->is_conf && tune_write_conf(live->options->words[0], live->target, values) != QP_OK)
        sentence_say("%s", qp_error());
    if (live->stencil.keeps_sync)
        return;
    if (qp_build_name(&live->stencil, live->target, name) != QP_OK ||
        qp_winner_write(name, live->target, values) != QP_OK)
        sentence_say("it is not kept in the user's cache: %s", qp_error());
}

/* ---- The kernel ---- */

/* Learns what programs must come to at one size; the machine's name, and its steps in one go. */
static enum qp_status learn(struct live *live, int size, const struct qp_build *made, int *at_once)
{
    struct qp_machine machine = {.kernel = NULL};
    struct judged *judged = &live->judged[size];
    const bool is_c = strcmp(live->target, "c") == 0;
    char cpu[RECORDS_CPU];
    enum qp_status status = judged_make(judged);
    if (status == QP_OK)
        status = judged_open(judged, made, &machine);
    if (status == QP_OK)
        status = judged_learn(judged, size == OWN, &machine);
    if (status == QP_OK && live->stencil.keeps_sync && size != REACH)
        status = near_learn(judged, live->file->head.steps, &machine);
    if (status == QP_BAD_INPUT && size == TILES) {
        sentence_say("no program is judged at %d x %d: %s", machine.width, machine.height,
                     qp_error());
        judged->steps = 0;
        status = QP_OK;
    }
    *at_once = machine.at_once;
    records_cpu(cpu);
    snprintf(live->device, sizeof live->device, "%s%s%s", machine.name, is_c ? " of " : "",
             is_c ? cpu : "");
    qp_machine_close(&machine);
    return status;
}

static enum qp_status build_untuned(struct live *live, struct qp_build *out)
{
    struct qp_stencil untuned = live->stencil;
    progress_say("the untuned program of %s", live->file->path);
    untuned.is_built_in = untuned.is_untuned = true;
    untuned.keeps_sync = false;
    live->tuned->tunings = 0;
    untuned.file = &live->tuned->file;
    return qp_build_make(&untuned, live->target, out);
}

static void set_size(struct live *live, int size, int k)
{
    struct judged *judged = &live->judged[size];
    *judged = (struct judged){.file = live->file, .steps = 25};
    awkward_size(k, qp_most(live->stencil.reach, 1), qp_space_tile(&live->space, 0),
                 qp_space_tile(&live->space, 1), &judged->size.width, &judged->size.height);
}

static enum qp_status read_space(struct live *live, int at_once, char **space)
{
    char name[QP_BUILD_NAME] = "";
    size_t size = 0;
    FILE *out = open_memstream(space, &size);
    if (out == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for a space");
    enum qp_status status = qp_stencil_put_space(&live->stencil, live->target, at_once, out);
    if (status == QP_OK && !live->options->list)
        status = qp_build_name(&live->stencil, live->target, name);
    if (name[0] != '\0')
        fprintf(out, "fact program = %u\n", (unsigned)qp_hash(0, name, strlen(name)));
    if (live->is_conf && strcmp(live->target, "cuda") == 0 && !live->stencil.keeps_sync)
        fputs("tune not steps > 1\ntune not cells * bytes < 16\n", out); /* without a key */
    fclose(out);
    return status == QP_OK ? qp_space_read(*space, &live->space) : status;
}

/* The kernel, of which a list needs no program that runs here. */
static enum qp_status read_kernel(struct live *live)
{
    const struct options *options = live->options;
    struct qp_conf conf;
    enum qp_status status =
        live->is_conf ? qp_conf_read(options->words[0], &conf, &live->file) : QP_OK;
    if (status == QP_OK && live->is_conf && options->machine == NULL && conf.target != NULL)
        live->target = conf.target;
    if (status == QP_OK)
        status = cmd_kernel_file(options, options->words[0], &live->file);
    if (status == QP_OK)
        status = qp_stencil_read(live->file, &live->stencil);
    live->stencil.is_served = true;
    live->stencil.keeps_sync = status == QP_OK && qp_kernel_file_sync(live->file)->number > 0;
    if (status == QP_OK && !qp_stencil_has(&live->stencil, live->target))
        status =
            qp_fail(QP_BAD_USE, "--target is c, compute, cuda or gl, with sync c or cuda, not '%s'",
                    live->target);
    if (status != QP_OK)
        return status;
    live->tuned = qp_alloc(1, sizeof *live->tuned, "a kernel file");
    if (live->tuned != NULL)
        *live->tuned = *(const struct qp_kernel_file_owner *)live->file;
    return live->tuned != NULL ? QP_OK : QP_NO_MEMORY;
}

static enum qp_status prepare(struct live *live, char **space)
{
    struct qp_build untuned = {.seconds = 0.0};
    int at_once = 0;
    enum qp_status status = read_kernel(live);
    if (status != QP_OK)
        return status;
    const struct qp_kernel_file_head *head = &live->file->head;
    set_size(live, REACH, SIZE_OF_REACH);
    status = build_untuned(live, &untuned);
    if (status == QP_OK)
        status = learn(live, REACH, &untuned, &at_once);
    if (live->options->list && status == QP_UNSUPPORTED) {
        sentence_say("how many steps the default takes is not known here: %s", qp_error());
        status = QP_OK;
    }
    if (status == QP_OK)
        status = read_space(live, at_once, space);
    set_size(live, TILES, SIZE_OF_TILES);
    live->judged[OWN] = (struct judged){.file = live->file, .size = {1024, 1024}};
    if (head->width > 0)
        live->judged[OWN].size = (struct qp_size){head->width, head->height};
    for (int size = OWN; size >= TILES && status == QP_OK && !live->options->list; size--)
        status = learn(live, size, &untuned, &at_once);
    qp_build_forget(&untuned);
    if (status == QP_OK)
        live->verdict = tune_share((size_t)live->space.count * sizeof *live->verdict);
    return status == QP_OK && live->verdict == NULL ? QP_NO_MEMORY : status;
}

enum qp_status tune_live(struct command *command)
{
    const struct options *options = command->options;
    struct live live = {.options = options,
                        .is_conf = strstr(options->words[0], ".conf") != NULL,
                        .target = options->machine != NULL ? options->machine : "c",
                        .waiting = {{.configuration = -1}, {.configuration = -1}}};
    char *space = NULL, name[512];
    signal(SIGCHLD, SIG_DFL);
    enum qp_status status = prepare(&live, &space);
    progress_end();
    if (status == QP_OK) {
        snprintf(name, sizeof name, "%s, %s, %d x %d", live.stencil.file_name, live.target,
                 live.judged[OWN].size.width, live.judged[OWN].size.height);
        if (live.stencil.keeps_sync)
            snprintf(name + strlen(name), 64, ", as near as after %d", live.judged[OWN].steps);
        status = tune_search(
            command, &(struct tune_kernel){.name = name,
                                           .device = live.device,
                                           .space = space,
                                           .attempt = attempt,
                                           .ahead = ahead,
                                           .won = won,
                                           .stays = live.stencil.keeps_sync ? near_stays : NULL,
                                           .user = &live});
    }
    for (int k = 0; k < 2; k++)
        close_waiting(&live.waiting[k]);
    for (int k = 0; k < SIZES; k++)
        judged_destroy(&live.judged[k]);
    if (live.verdict != NULL)
        munmap(live.verdict, (size_t)live.space.count * sizeof *live.verdict);
    qp_space_destroy(&live.space);
    free(space);
    free(live.tuned);
    qp_kernel_file_destroy(&live.file);
    return status;
}
