/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <string.h>

#include "lab/solve/checkpoint/checkpoint.h"
#include "lab/solve/checkpoint/file.h"

enum { MOST_BYTES = 1 << 16, AT_LENGTH = 32 };

/* An owner's contents of a checkpoint: a value of each kind. */
struct owner {
    int step;
    bool gained;
    double least, x[4];
    char sentence[24];
    const struct qp_variant *variant;
};

static void store(struct qp_archive *archive, void *user)
{
    struct owner *owner = user;
    qp_archive_variant(archive, &owner->variant);
    qp_archive_int(archive, &owner->step);
    qp_archive_bool(archive, &owner->gained);
    qp_archive_double(archive, &owner->least);
    qp_archive_text(archive, owner->sentence, sizeof owner->sentence);
    qp_archive_doubles(archive, owner->x, 4);
}

static enum qp_status enter(struct qp_checkpoint *checkpoint, const char *name)
{
    struct owner owner = {0};
    bool resumed = false;
    const bool holds = qp_checkpoint_holds(checkpoint, name);
    const enum qp_status status = qp_checkpoint_enter(checkpoint, name, store, &owner, &resumed);
    PROMISE(status == QP_OK || status == QP_BAD_INPUT);
    PROMISE(resumed == holds);
    PROMISE(memchr(owner.sentence, '\0', sizeof owner.sentence) != NULL);
    return status;
}

/* Goes on from the file as a solve does that is in the middle of two things. */
static enum qp_status resume(const uint8_t *bytes, size_t size)
{
    struct qp_checkpoint checkpoint;
    enum qp_status status =
        qp_checkpoint_make(NULL, 0.0, fuzz_file(bytes, size), NULL, &checkpoint);
    PROMISE(status == QP_OK);
    qp_checkpoint_add_text(&checkpoint, "operation", "fuzz");
    status = qp_checkpoint_open(&checkpoint);
    PROMISE(status == QP_OK || status == QP_BAD_INPUT);
    if (status == QP_OK)
        status = enter(&checkpoint, "method");
    if (status == QP_OK)
        status = enter(&checkpoint, "iteration");
    if (status == QP_OK) {
        qp_checkpoint_leave(&checkpoint, "iteration");
        qp_checkpoint_leave(&checkpoint, "method");
    }
    qp_checkpoint_close(&checkpoint);
    return status;
}

static void add(struct qp_archive *archive, const void *bytes, size_t size)
{
    for (size_t k = 0; k < size; k++) {
        uint8_t byte = ((const uint8_t *)bytes)[k];
        qp_archive_bytes(archive, &byte, 1);
    }
    PROMISE(!archive->failed);
}

/* A header, the bytes, and the hash of all, as anyone can make it who knows the format; with the
 * fact that fits in front of the bytes, or where that would be. */
static void seal_and_resume(const uint8_t *bytes, size_t size, bool fits)
{
    struct qp_archive archive = {0};
    struct qp_fact fact = {.name = "operation", .text = "fuzz"};
    int facts = 1;
    fact.value = qp_archive_hash(0, fact.text, strlen(fact.text));
    qp_checkpoint_file_begin(&archive);
    if (fits) {
        qp_archive_int(&archive, &facts);
        add(&archive, &fact, sizeof fact);
    }
    add(&archive, bytes, size);
    const uint64_t length = archive.count + sizeof length;
    memcpy(archive.bytes + AT_LENGTH, &length, sizeof length);
    const uint64_t hash = qp_archive_hash(0, archive.bytes, archive.count);
    add(&archive, &hash, sizeof hash);
    resume(archive.bytes, archive.count);
    free(archive.bytes);
}

void fuzz_checkpoint(const uint8_t *bytes, size_t size)
{
    if (size > MOST_BYTES)
        return;
    PROMISE(resume(bytes, size) == QP_BAD_INPUT);
    seal_and_resume(bytes, size, true);
    seal_and_resume(bytes, size, false);
}
