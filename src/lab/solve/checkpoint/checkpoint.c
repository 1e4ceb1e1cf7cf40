/* SPDX-License-Identifier: MIT */
#include "lab/solve/checkpoint/checkpoint.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lab/plan/op.h"
#include "lab/solve/checkpoint/file.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/layout.h"
#include "toolkit/base/status.h"
#include "toolkit/base/watch.h"
#include "toolkit/io/output.h"

enum { MOST_NAME = 24, USUAL_SECONDS = 60 };

enum qp_status qp_checkpoint_make(const char *path, double every, const char *resume,
                                  const volatile sig_atomic_t *interrupt, struct qp_checkpoint *out)
{
    *out = (struct qp_checkpoint){.path = path,
                                  .resume = resume,
                                  .every = every > 0.0 ? every : USUAL_SECONDS,
                                  .interrupt = interrupt,
                                  .last = qp_clock(),
                                  .resumed = {.reads = true}};
    if (every >= 0.0 && isfinite(every))
        return QP_OK;
    return qp_fail(QP_BAD_USE, "a checkpoint cannot be written every %g seconds", every);
}

static enum qp_status refuse_kind(const struct qp_checkpoint *checkpoint)
{
    return qp_fail(QP_BAD_INPUT, "%s: is a checkpoint of another kind of solve",
                   checkpoint->resume);
}

bool qp_checkpoint_is_wanted(const struct qp_checkpoint *checkpoint)
{
    return checkpoint->path != NULL || checkpoint->resume != NULL;
}

void qp_checkpoint_close(struct qp_checkpoint *checkpoint)
{
    free(checkpoint->resumed.bytes);
    *checkpoint = (struct qp_checkpoint){0};
}

/* ---- Facts ---- */

static void add(struct qp_checkpoint *checkpoint, const char *name, const char *text,
                uint64_t value)
{
    struct qp_fact *fact = &checkpoint->fact[checkpoint->facts++];
    *fact = (struct qp_fact){.value = value};
    snprintf(fact->name, sizeof fact->name, "%s", name);
    snprintf(fact->text, sizeof fact->text, "%s", text);
}

void qp_checkpoint_add_text(struct qp_checkpoint *checkpoint, const char *name, const char *text)
{
    add(checkpoint, name, text, qp_archive_hash(0, text, strlen(text)));
}

void qp_checkpoint_add_number(struct qp_checkpoint *checkpoint, const char *name, double value)
{
    char text[32];
    uint64_t bits;
    snprintf(text, sizeof text, "%.9g", value);
    memcpy(&bits, &value, sizeof bits);
    add(checkpoint, name, text, bits);
}

void qp_checkpoint_add_values(struct qp_checkpoint *checkpoint, const char *name,
                              const double *values, size_t count)
{
    add(checkpoint, name, "",
        values != NULL ? qp_archive_hash(1, values, count * sizeof *values) : 0);
}

void qp_checkpoint_add_style(struct qp_checkpoint *checkpoint, enum qp_pingpong_style pingpong,
                             enum qp_texture_target target)
{
    qp_checkpoint_add_text(checkpoint, "ping-pong style", qp_pingpong_name(pingpong));
    qp_checkpoint_add_text(checkpoint, "texture target", qp_target_name(target));
}

void qp_checkpoint_add_matrix(struct qp_checkpoint *checkpoint, const struct qp_market *matrix)
{
    const size_t places = matrix->dense ? 0 : matrix->count * sizeof *matrix->row;
    uint64_t hash = qp_archive_hash((uint64_t)matrix->rows, matrix->value,
                                    matrix->count * sizeof *matrix->value);
    if (places > 0) {
        hash = qp_archive_hash(hash, matrix->row, places);
        hash = qp_archive_hash(hash, matrix->column, places);
    }
    qp_checkpoint_add_number(checkpoint, "number of unknowns", matrix->rows);
    add(checkpoint, "matrix", "", hash);
}

static void store_facts(struct qp_archive *archive, struct qp_fact *facts, int *count)
{
    qp_archive_int(archive, count);
    archive->failed = archive->failed || *count > QP_CHECKPOINT_FACTS;
    for (int k = 0; !archive->failed && k < *count; k++)
        qp_archive_bytes(archive, &facts[k], sizeof facts[k]);
}

static bool is_same(const struct qp_fact *a, const struct qp_fact *b)
{
    return strcmp(a->name, b->name) == 0 && a->value == b->value;
}

/* Refuses the first fact that differs. */
static enum qp_status compare(const struct qp_checkpoint *checkpoint, const struct qp_fact *stored,
                              int count)
{
    const struct qp_fact *now = checkpoint->fact;
    int k = 0;
    while (k < count && k < checkpoint->facts && is_same(&now[k], &stored[k]))
        k++;
    if (k == count && k == checkpoint->facts)
        return QP_OK;
    if (k == count || k == checkpoint->facts || strcmp(now[k].name, stored[k].name) != 0)
        return refuse_kind(checkpoint);
    if (now[k].text[0] == '\0')
        return qp_fail(QP_BAD_INPUT, "%s: is a checkpoint of a solve with another %s",
                       checkpoint->resume, now[k].name);
    return qp_fail(QP_BAD_INPUT,
                   "%s: is a checkpoint of a solve whose %s is %.80s, and here it is %s",
                   checkpoint->resume, now[k].name, stored[k].text, now[k].text);
}

/* ---- Beginning ---- */

static enum qp_status check_place(const char *path)
{
    struct stat there;
    qp_output_sweep(path, NULL);
    if (qp_output_is_standard(path))
        return qp_fail(QP_BAD_USE, "a checkpoint goes to a file, and not to standard output");
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return qp_fail(QP_BAD_USE, "%s: is no file that a checkpoint could replace", path);
    if (!qp_output_is_possible(path))
        return qp_fail(QP_BAD_USE, "%s: cannot be written: %s", path, strerror(errno));
    return QP_OK;
}

enum qp_status qp_checkpoint_open(struct qp_checkpoint *checkpoint)
{
    struct qp_fact stored[QP_CHECKPOINT_FACTS] = {0};
    int count = 0;
    if (checkpoint->path != NULL) {
        const enum qp_status status = check_place(checkpoint->path);
        if (status != QP_OK)
            return status;
    }
    if (checkpoint->resume == NULL)
        return QP_OK;
    const enum qp_status status = qp_checkpoint_file_read(checkpoint->resume, &checkpoint->resumed);
    if (status != QP_OK)
        return status;
    store_facts(&checkpoint->resumed, stored, &count);
    if (checkpoint->resumed.failed)
        return refuse_kind(checkpoint);
    return compare(checkpoint, stored, count);
}

/* ---- Parts ---- */

/* Finds a part among those of the file; *bytes is its length. NULL for none. */
static unsigned char *find(const struct qp_checkpoint *checkpoint, const char *name, size_t *bytes)
{
    struct qp_archive walk = checkpoint->resumed;
    char found[MOST_NAME] = "";
    while (*bytes < walk.count - walk.place && !walk.failed &&
           strncmp(found, name, sizeof found) != 0) {
        walk.place += *bytes;
        qp_archive_bytes(&walk, found, sizeof found);
        qp_archive_bytes(&walk, bytes, sizeof *bytes);
    }
    const bool there = !walk.failed && strncmp(found, name, sizeof found) == 0 &&
                       *bytes <= walk.count - walk.place;
    return there ? walk.bytes + walk.place : NULL;
}

bool qp_checkpoint_holds(const struct qp_checkpoint *checkpoint, const char *name)
{
    size_t bytes = 0;
    return checkpoint != NULL && find(checkpoint, name, &bytes) != NULL;
}

/* Reads a part into its owner, once: its name is wiped. */
static enum qp_status take_up(struct qp_checkpoint *checkpoint, unsigned char *at, size_t bytes,
                              qp_archive_part *store, void *owner)
{
    struct qp_archive part = {.bytes = at, .count = bytes, .reads = true};
    store(&part, owner);
    at[-(ptrdiff_t)(MOST_NAME + sizeof bytes)] = '\0';
    checkpoint->was_resumed = true;
    if (!part.failed && part.place == bytes)
        return QP_OK;
    return refuse_kind(checkpoint);
}

enum qp_status qp_checkpoint_enter(struct qp_checkpoint *checkpoint, const char *name,
                                   qp_archive_part *store, void *owner, bool *resumed)
{
    size_t bytes = 0;
    *resumed = false;
    if (checkpoint == NULL)
        return QP_OK;
    checkpoint->part[checkpoint->parts].name = name;
    checkpoint->part[checkpoint->parts].store = store;
    checkpoint->part[checkpoint->parts++].owner = owner;
    unsigned char *at = find(checkpoint, name, &bytes);
    *resumed = at != NULL;
    return at != NULL ? take_up(checkpoint, at, bytes, store, owner) : QP_OK;
}

void qp_checkpoint_leave(struct qp_checkpoint *checkpoint, const char *name)
{
    if (checkpoint == NULL)
        return;
    const int last = checkpoint->parts - 1;
    if (last >= 0 && strcmp(checkpoint->part[last].name, name) == 0)
        checkpoint->parts = last;
}

enum qp_status qp_checkpoint_check_variant(const struct qp_checkpoint *checkpoint,
                                           const struct qp_variant *stored,
                                           const struct qp_variant *taken)
{
    if (stored == taken)
        return QP_OK;
    return qp_fail(QP_BAD_INPUT, "%s: is a checkpoint of %s, and this solve takes %s",
                   checkpoint->resume, stored != NULL ? stored->name : "no variant", taken->name);
}

bool qp_checkpoint_is_due(const struct qp_checkpoint *checkpoint)
{
    return checkpoint != NULL && checkpoint->path != NULL &&
           (qp_is_interrupted(checkpoint->interrupt) ||
            qp_clock() - checkpoint->last >= checkpoint->every);
}

static void store_part(struct qp_checkpoint *checkpoint, int k, struct qp_archive *archive)
{
    char name[MOST_NAME] = "";
    size_t bytes = 0;
    snprintf(name, sizeof name, "%s", checkpoint->part[k].name);
    qp_archive_bytes(archive, name, sizeof name);
    qp_archive_bytes(archive, &bytes, sizeof bytes);
    const size_t first = archive->count;
    checkpoint->part[k].store(archive, checkpoint->part[k].owner);
    bytes = archive->count - first;
    if (!archive->failed)
        memcpy(archive->bytes + first - sizeof bytes, &bytes, sizeof bytes);
}

enum qp_status qp_checkpoint_write(struct qp_checkpoint *checkpoint)
{
    struct qp_archive archive = {0};
    if (checkpoint == NULL || checkpoint->path == NULL)
        return QP_OK;
    qp_checkpoint_file_begin(&archive);
    store_facts(&archive, checkpoint->fact, &checkpoint->facts);
    for (int k = 0; k < checkpoint->parts; k++)
        store_part(checkpoint, k, &archive);
    const enum qp_status status = qp_checkpoint_file_write(&archive, checkpoint->path);
    free(archive.bytes);
    checkpoint->last = qp_clock();
    checkpoint->has_ended = qp_is_interrupted(checkpoint->interrupt);
    return status;
}

enum qp_status qp_checkpoint_end(struct qp_checkpoint *checkpoint)
{
    return checkpoint == NULL || checkpoint->has_ended ? QP_OK : qp_checkpoint_write(checkpoint);
}

void qp_checkpoint_tell(const struct qp_checkpoint *checkpoint, const struct qp_variant *variant,
                        char *sentence, size_t size)
{
    if (checkpoint == NULL || !checkpoint->was_resumed)
        return;
    const size_t used = strlen(sentence);
    snprintf(sentence + used, size - used, "; it went on from %.100s%s", checkpoint->resume,
             variant != NULL && qp_format_has_pairs(variant->recipe->state.format)
                 ? ", which holds the sums of pairs of floats, so that last bits may differ from a "
                   "run in one piece"
                 : "");
}
