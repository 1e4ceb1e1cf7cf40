/* SPDX-License-Identifier: MIT */
/* A batch of random kernels: twenty frames of ten, whose programs are compiled together. Each
 * kernel is interpreted, drawn, and computed by programs, and every answer is judged. */
#ifndef QP_TESTS_RANDOM_BATCH_H
#define QP_TESTS_RANDOM_BATCH_H

#include "support/random_case.h"

enum { RANDOM_BODIES = 10, RANDOM_FRAMES = 20, RANDOM_BATCH = RANDOM_BODIES * RANDOM_FRAMES };

/* Results of a batch's process, for the one that started it. */
struct random_shared {
    int process; /* 0: none */
    struct random_answer answer;
    struct random_count count;
    int kernels;
};

extern struct random_batch {
    struct qp_context *context; /* NULL: there is no device */
    struct random_shared *shared;
    int frames;
    struct random_frame frame[RANDOM_FRAMES];
    struct random_case *of;                           /* RANDOM_BATCH of them */
    bool joined[RANDOM_FRAMES][RANDOM_BODIES];        /* its program is part of the frame's */
    bool written[RANDOM_FRAMES][RANDOM_BODIES];       /* programs are, of this kernel */
    bool is_cxx[RANDOM_FRAMES][RANDOM_BODIES];        /* its program needs C++ */
    bool built[RANDOM_FRAMES], served[RANDOM_FRAMES]; /* as --backend runs them */
} batch;

/* Takes all kernels of a batch, whose frames have seeds from this one on, with these odd kinds. */
void random_batch_take(uint64_t seed, unsigned kinds);

/* ---- For its parts ---- */

/* Kernel b of frame f, and a file of it in the scratch folder. */
struct random_case *random_batch_case(int f, int b);
void random_batch_file(int f, int b, const char *end, char path[RANDOM_PATH]);

/* True for llvmpipe: other drivers divide, mix and take dot products as they like
 * (docs/bits.md). */
bool random_batch_draws(void);

/* The answer that is to be judged, of some states; a kernel that differs is kept with its files
 * where that is asked for. */
struct random_answer *random_batch_answer(const char *by);
void random_batch_judge(int f, int b, int states);

/* Writes, runs and judges the programs that users have (random_users.c). */
void random_batch_users(void);

#endif
