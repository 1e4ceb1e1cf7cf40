/* SPDX-License-Identifier: MIT */
#include "lab/solve/checkpoint/archive.h"

#include <stdlib.h>
#include <string.h>

#include "toolkit/base/random.h"

static bool make_room(struct qp_archive *archive, size_t bytes)
{
    if (archive->room - archive->count >= bytes)
        return true;
    const size_t wanted = archive->count + bytes, twice = 2 * archive->room;
    const size_t room = wanted > twice ? wanted : twice;
    unsigned char *grown = realloc(archive->bytes, room);
    if (grown == NULL)
        return false;
    archive->bytes = grown;
    archive->room = room;
    return true;
}

void qp_archive_bytes(struct qp_archive *archive, void *values, size_t bytes)
{
    if (archive->reads)
        archive->failed = archive->failed || archive->place > archive->count ||
                          archive->count - archive->place < bytes;
    else
        archive->failed = archive->failed || !make_room(archive, bytes);
    if (archive->failed || bytes == 0)
        return;
    if (archive->reads) {
        memcpy(values, archive->bytes + archive->place, bytes);
        archive->place += bytes;
    } else {
        memcpy(archive->bytes + archive->count, values, bytes);
        archive->count += bytes;
    }
}

void qp_archive_int(struct qp_archive *archive, int *value)
{
    int64_t wide = *value;
    qp_archive_bytes(archive, &wide, sizeof wide);
    *value = (int)wide;
}

void qp_archive_bool(struct qp_archive *archive, bool *value)
{
    int number = *value;
    qp_archive_int(archive, &number);
    *value = number != 0;
}

void qp_archive_double(struct qp_archive *archive, double *value)
{
    qp_archive_bytes(archive, value, sizeof *value);
}

void qp_archive_doubles(struct qp_archive *archive, double *values, size_t count)
{
    qp_archive_bytes(archive, values, count * sizeof *values);
}

void qp_archive_text(struct qp_archive *archive, char *text, size_t size)
{
    int length = (int)strnlen(text, size - 1);
    qp_archive_int(archive, &length);
    archive->failed = archive->failed || length < 0 || (size_t)length >= size;
    if (archive->failed)
        return;
    qp_archive_bytes(archive, text, (size_t)length);
    text[length] = '\0';
}

void qp_archive_variant(struct qp_archive *archive, const struct qp_variant **variant)
{
    char name[128] = "";
    if (*variant != NULL)
        strncat(name, (*variant)->name, sizeof name - 1);
    qp_archive_text(archive, name, sizeof name);
    if (!archive->reads || archive->failed)
        return;
    *variant = name[0] != '\0' ? qp_variant_find(name) : NULL;
    archive->failed = name[0] != '\0' && *variant == NULL;
}

uint64_t qp_archive_hash(uint64_t before, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    uint64_t hash = qp_random_mix(before + 0x9e3779b97f4a7c15u + count);
    for (size_t k = 0; k < count; k += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, at + k, count - k < sizeof word ? count - k : sizeof word);
        hash = qp_random_mix(hash ^ word) + 0x9e3779b97f4a7c15u;
    }
    return hash;
}
