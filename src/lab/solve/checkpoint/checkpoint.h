/* SPDX-License-Identifier: MIT */
/* Checkpoints of solves: files from which a later run goes on, bit for bit as if there had been no
 * end. A file holds what the solve is of (its identity: operation, sizes, options that decide the
 * bits, hashes of A and b) and parts, one for each function that is in the middle of something: the
 * choice of a method, and within it an iteration or an elimination. A part is listed once, by a
 * function that stores it in either direction (archive.h). An x in a file is whole and in the
 * grid's order, whatever computed it. */
#ifndef QP_SOLVE_CHECKPOINT_CHECKPOINT_H
#define QP_SOLVE_CHECKPOINT_CHECKPOINT_H

#include <signal.h>

#include <quadpass/market.h>
#include <quadpass/solve.h>

#include "lab/solve/checkpoint/archive.h"

enum { QP_CHECKPOINT_PARTS = 3, QP_CHECKPOINT_FACTS = 24 };

typedef void qp_archive_part(struct qp_archive *archive, void *owner);

/* Fact that must be the same in the run that wrote a file and in one that goes on. */
struct qp_fact {
    char name[40]; /* such as "tolerance" */
    char text[88]; /* the value, as sentences show it; "" for a hash */
    uint64_t value;
};

struct qp_checkpoint {
    const char *path;   /* where to write; NULL: nothing is */
    const char *resume; /* the file to go on from; NULL: from the start */
    double every;       /* seconds between two files */
    const volatile sig_atomic_t *interrupt;
    double last; /* when the last one was written, or the run began */
    int facts, parts;
    struct qp_fact fact[QP_CHECKPOINT_FACTS];
    struct {
        const char *name;
        qp_archive_part *store;
        void *owner;
    } part[QP_CHECKPOINT_PARTS]; /* being computed, the outermost first */
    struct qp_archive resumed;   /* parts of the file that were not read yet */
    bool was_resumed, has_ended; /* has_ended: the interrupt's file is written */
};

/* Takes over the settings of a description; `every` 0 means a minute. Errors: QP_BAD_USE. Close
 * *out in any case. */
enum qp_status qp_checkpoint_make(const char *path, double every, const char *resume,
                                  const volatile sig_atomic_t *interrupt,
                                  struct qp_checkpoint *out);

/* True if checkpoints are written or read, so that facts are worth their time. */
bool qp_checkpoint_is_wanted(const struct qp_checkpoint *checkpoint);

/* Adds facts, before the checkpoint is opened. Values may be NULL, which is a fact, too. */
void qp_checkpoint_add_text(struct qp_checkpoint *checkpoint, const char *name, const char *text);
void qp_checkpoint_add_number(struct qp_checkpoint *checkpoint, const char *name, double value);
void qp_checkpoint_add_values(struct qp_checkpoint *checkpoint, const char *name,
                              const double *values, size_t count);
void qp_checkpoint_add_style(struct qp_checkpoint *checkpoint, enum qp_pingpong_style pingpong,
                             enum qp_texture_target target);
void qp_checkpoint_add_matrix(struct qp_checkpoint *checkpoint, const struct qp_market *matrix);

/* Looks whether the file can be written, and reads the one to go on from. Errors: QP_BAD_USE (no
 * file that can be replaced), QP_BAD_INPUT (unreadable, damaged, of another version, or of another
 * solve: the sentence says which), QP_NO_MEMORY. */
enum qp_status qp_checkpoint_open(struct qp_checkpoint *checkpoint);
void qp_checkpoint_close(struct qp_checkpoint *checkpoint);

/* ---- For functions that compute a part; a checkpoint NULL means none ---- */

/* Adds a part to the files from now on. *resumed: the file to go on from had this part, and it is
 * the owner's state now. Errors: QP_BAD_INPUT for one that does not fit. */
enum qp_status qp_checkpoint_enter(struct qp_checkpoint *checkpoint, const char *name,
                                   qp_archive_part *store, void *owner, bool *resumed);
void qp_checkpoint_leave(struct qp_checkpoint *checkpoint, const char *name);

/* True if the file to go on from has this part, and it was not read yet. */
bool qp_checkpoint_holds(const struct qp_checkpoint *checkpoint, const char *name);

/* Refuses a part that a different variant computed. */
enum qp_status qp_checkpoint_check_variant(const struct qp_checkpoint *checkpoint,
                                           const struct qp_variant *stored,
                                           const struct qp_variant *taken);

/* True if a file is due, or an interrupt ends the run. Only this function reads a clock, and no
 * number depends on it. */
bool qp_checkpoint_is_due(const struct qp_checkpoint *checkpoint);

/* Writes the file, whole or not at all. Errors: QP_BAD_INPUT, QP_NO_MEMORY; then an earlier file is
 * as it was. */
enum qp_status qp_checkpoint_write(struct qp_checkpoint *checkpoint);

/* Writes the file after an interrupt, unless a function in the middle of its part has written the
 * last one already. */
enum qp_status qp_checkpoint_end(struct qp_checkpoint *checkpoint);

/* Adds to a solve's last sentence that it went on from a file; and of variants whose values are
 * pairs of floats, of which a file holds the sums, that the last bits may differ. */
void qp_checkpoint_tell(const struct qp_checkpoint *checkpoint, const struct qp_variant *variant,
                        char *sentence, size_t size);

#endif
