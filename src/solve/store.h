/* SPDX-License-Identifier: MIT */
/* State of a solve as bytes, in this machine's order. One function for each kind of value goes both ways, so that what
 * is written and what is read back is listed once. */
#ifndef QP_SOLVE_STORE_H
#define QP_SOLVE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <quadpass/variant.h>

struct qp_store {
    unsigned char *bytes;
    size_t count, room; /* bytes that are there, and that have been allocated */
    size_t place;       /* of the next byte to read */
    bool reads;         /* values come from the bytes; else they go there */
    bool failed; /* no memory, or fewer bytes than are asked for: what was read is not to be used */
};

/* Values, in either direction; none once the store has failed. Text is cut where it is longer than `size`. */
void qp_store_bytes(struct qp_store *store, void *values, size_t bytes);
void qp_store_int(struct qp_store *store, int *value);
void qp_store_bool(struct qp_store *store, bool *value);
void qp_store_double(struct qp_store *store, double *value);
void qp_store_doubles(struct qp_store *store, double *values, size_t count);
void qp_store_text(struct qp_store *store, char *text, size_t size);

/* A row, by its name; NULL for none. One that this program lacks makes the store fail. */
void qp_store_row(struct qp_store *store, const struct qp_variant **row);

/* 64 bits that differ, but for one case of 2^64, where any of the bytes do; `before` is 0, or what the bytes before
 * gave. Each word goes through a one-to-one mixing (Stafford's variant 13 of MurmurHash3's), so that a change within
 * one word always shows. */
uint64_t qp_store_hash(uint64_t before, const void *bytes, size_t count);

#endif
