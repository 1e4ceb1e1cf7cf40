/* SPDX-License-Identifier: MIT */
/* Streams and events of the fake of CUDA (cuda_fake.h), as late or as early as CUDA allows: what is
 * asked of a stream waits there until somebody waits for it, or for some time that is drawn. So
 * whoever forgets to wait finds old values. */
#ifndef QP_TESTS_CUDA_FAKE_STREAMS_H
#define QP_TESTS_CUDA_FAKE_STREAMS_H

#include <stddef.h>

/* When the work of streams is done. */
enum cuda_fake_pace {
    FAKE_AT_ONCE, /* as soon as it is asked for */
    FAKE_LATE,    /* when somebody waits for it */
    FAKE_DRAWN    /* some of it, of any stream, whenever something is asked for */
};

/* Asks a stream to run `work` on a copy of its arguments. */
void cuda_fake_ask(void *stream, void (*work)(void *arguments), const void *arguments,
                   size_t bytes);

/* Forgets all streams. */
void cuda_fake_streams_start(void);

#endif
