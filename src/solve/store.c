/* SPDX-License-Identifier: MIT */
#include "solve/store.h"

#include <stdlib.h>
#include <string.h>

static bool make_room(struct qp_store *store, size_t bytes)
{
    if (store->room - store->count >= bytes)
        return true;
    const size_t wanted = store->count + bytes, twice = 2 * store->room;
    const size_t room = wanted > twice ? wanted : twice;
    unsigned char *grown = realloc(store->bytes, room);
    if (grown == NULL)
        return false;
    store->bytes = grown;
    store->room = room;
    return true;
}

void qp_store_bytes(struct qp_store *store, void *values, size_t bytes)
{
    if (store->reads)
        store->failed =
            store->failed || store->place > store->count || store->count - store->place < bytes;
    else
        store->failed = store->failed || !make_room(store, bytes);
    if (store->failed || bytes == 0)
        return;
    if (store->reads) {
        memcpy(values, store->bytes + store->place, bytes);
        store->place += bytes;
    } else {
        memcpy(store->bytes + store->count, values, bytes);
        store->count += bytes;
    }
}

void qp_store_int(struct qp_store *store, int *value)
{
    int64_t wide = *value;
    qp_store_bytes(store, &wide, sizeof wide);
    *value = (int)wide;
}

void qp_store_bool(struct qp_store *store, bool *value)
{
    int number = *value;
    qp_store_int(store, &number);
    *value = number != 0;
}

void qp_store_double(struct qp_store *store, double *value)
{
    qp_store_bytes(store, value, sizeof *value);
}

void qp_store_doubles(struct qp_store *store, double *values, size_t count)
{
    qp_store_bytes(store, values, count * sizeof *values);
}

void qp_store_text(struct qp_store *store, char *text, size_t size)
{
    int length = (int)strnlen(text, size - 1);
    qp_store_int(store, &length);
    store->failed = store->failed || length < 0 || (size_t)length >= size;
    if (store->failed)
        return;
    qp_store_bytes(store, text, (size_t)length);
    text[length] = '\0';
}

void qp_store_row(struct qp_store *store, const struct qp_variant **row)
{
    char name[128] = "";
    if (*row != NULL)
        strncat(name, (*row)->name, sizeof name - 1);
    qp_store_text(store, name, sizeof name);
    if (!store->reads || store->failed)
        return;
    *row = name[0] != '\0' ? qp_variant_find(name) : NULL;
    store->failed = name[0] != '\0' && *row == NULL;
}

static uint64_t mix(uint64_t word)
{
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return word ^ word >> 31;
}

uint64_t qp_store_hash(uint64_t before, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    uint64_t hash = mix(before + 0x9e3779b97f4a7c15u + count);
    for (size_t k = 0; k < count; k += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, at + k, count - k < sizeof word ? count - k : sizeof word);
        hash = mix(hash ^ word) + 0x9e3779b97f4a7c15u;
    }
    return hash;
}
