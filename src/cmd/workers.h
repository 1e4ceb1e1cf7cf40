/* SPDX-License-Identifier: MIT */
/* Processes that share a list of rows, on machines with many cores: each row is done by one of them. */
#ifndef QP_CMD_WORKERS_H
#define QP_CMD_WORKERS_H

#include <stdbool.h>

#include "base/status.h"

/* Work on the rows of a list, in a process of its own that has computed nothing before. */
struct workers_job {
    int rows;
    bool (*begin)(void *user);         /* once in each process; false: it can do nothing */
    void (*work)(void *user, int row); /* leaves what comes of it in shared memory */
    void (*end)(void *user);
    void *user;
};

struct workers;

/* Memory that such processes share, as zeros; NULL where there is none. Owner: the caller, for ever. */
void *workers_memory(size_t count, size_t size);

/* Processes that are worth their start for so many rows, of 4 cores or more each; 1: none beside this one. */
int workers_wanted(int rows);

/* Starts that many processes, which print nothing. They end with this one, and when `interrupt` is set, which is looked
 * at in workers_wait alone. Errors: QP_NO_MEMORY. */
enum qp_status workers_start(int processes, const struct workers_job *job, struct workers **out);

/* Waits until the row is done; false if it never will be, since an interrupt or a crash came before it. */
bool workers_wait(struct workers *workers, int row);

/* Ends and frees them; NULL is accepted. */
void workers_end(struct workers **workers);

#endif
