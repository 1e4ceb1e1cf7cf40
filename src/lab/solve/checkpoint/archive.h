/* SPDX-License-Identifier: MIT */
/* State of a solve as bytes, in this machine's order. One function for each kind of value goes both
 * ways, so that what is written and what is read back is listed once. */
#ifndef QP_SOLVE_CHECKPOINT_ARCHIVE_H
#define QP_SOLVE_CHECKPOINT_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <quadpass/variant.h>

struct qp_archive {
    unsigned char *bytes;
    size_t count, room; /* bytes that are there, and that have been allocated */
    size_t place;       /* place of the next byte to read */
    bool reads;         /* values come from the bytes; else they go there */
    bool failed; /* no memory, or fewer bytes than are asked for: what was read is not to be used */
};

/* Store or read values; nothing once the archive has failed. Text is cut where it is longer than
 * `size`. */
void qp_archive_bytes(struct qp_archive *archive, void *values, size_t bytes);
void qp_archive_int(struct qp_archive *archive, int *value);
void qp_archive_bool(struct qp_archive *archive, bool *value);
void qp_archive_double(struct qp_archive *archive, double *value);
void qp_archive_doubles(struct qp_archive *archive, double *values, size_t count);
void qp_archive_text(struct qp_archive *archive, char *text, size_t size);

/* Stores or reads a variant, by its name; NULL for none. A variant that this program lacks makes
 * the archive fail. */
void qp_archive_variant(struct qp_archive *archive, const struct qp_variant **variant);

/* Hash of 64 bits, which differs, but for one case of 2^64, where any of the bytes do; `before` is
 * 0, or the hash of the bytes before. Each word goes through a one-to-one mixing (Stafford's
 * variant 13 of MurmurHash3's), so that a change within one word always shows. */
uint64_t qp_archive_hash(uint64_t before, const void *bytes, size_t count);

#endif
