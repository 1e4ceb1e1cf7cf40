/* SPDX-License-Identifier: MIT */
#include "cmd/workers.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(_OPENMP)
#include <omp.h>
#else
#define omp_get_max_threads()      1
#define omp_set_num_threads(count) ((void)(count))
#endif

#include "base/whole.h"
#include "cmd/cmd.h"

enum { MOST = 4, CORES = 4, ROWS = 8 /* of a process, at least */ };

struct workers {
    int count, told; /* processes; moments since they were told of an interrupt */
    pid_t child[MOST];
    struct shared *shared;
};

struct shared {
    atomic_int next; /* row that nobody has begun */
    atomic_bool done[];
};

void *workers_memory(size_t count, size_t size)
{
    void *memory =
        mmap(NULL, count * size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

int workers_wanted(int rows)
{
    return qp_most(1, qp_least(MOST, qp_least(omp_get_max_threads() / CORES, rows / ROWS)));
}

/* The process's life. Its parent's unwritten output is its parent's: it leaves without exit handlers. */
static void live(const struct workers *workers, const struct workers_job *job)
{
    FILE *nowhere = fopen("/dev/null", "we");
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); /* a terminal interrupts the parent, which hands it on */
    if (nowhere != NULL)
        stdout = stderr = nowhere;
    omp_set_num_threads(omp_get_max_threads() / workers->count);
    if (!job->begin(job->user))
        _exit(1);
    for (int row; !cmd_interrupted && (row = workers->shared->next++) < job->rows;) {
        job->work(job->user, row);
        workers->shared->done[row] = true;
    }
    job->end(job->user);
    _exit(0);
}

enum qp_status workers_start(int processes, const struct workers_job *job, struct workers **out)
{
    struct workers *workers = *out = qp_alloc_zero(1, sizeof *workers, "processes");
    if (workers == NULL)
        return QP_NO_MEMORY;
    workers->shared = workers_memory(1, sizeof *workers->shared + (size_t)job->rows);
    workers->count = processes;
    if (workers->shared == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory that processes could share");
    fflush(NULL);
    for (int k = 0; k < processes; k++) {
        workers->child[k] = fork();
        if (workers->child[k] == 0)
            live(workers, job);
    }
    return QP_OK; /* one that could not be started is missed by nobody, as long as there is another */
}

/* True if some process is left; what has ended is forgotten. */
static bool are_some_left(struct workers *workers)
{
    bool left = false;
    for (int k = 0; k < workers->count; k++) {
        if (workers->child[k] > 0 && waitpid(workers->child[k], NULL, WNOHANG) != 0)
            workers->child[k] = 0;
        left = left || workers->child[k] > 0;
    }
    return left;
}

static void send(const struct workers *workers, int signal)
{
    for (int k = 0; k < workers->count; k++) {
        if (workers->child[k] > 0)
            kill(workers->child[k], signal);
    }
}

bool workers_wait(struct workers *workers, int row)
{
    enum { PATIENCE = 500 /* moments: a second, as a driver may compile for longer */ };
    const struct timespec moment = {.tv_nsec = 2000000};
    bool left = true;
    while (!workers->shared->done[row] && left) {
        left = are_some_left(workers);
        workers->told += cmd_interrupted != 0;
        if (workers->told == 1 || workers->told == PATIENCE)
            send(workers, workers->told == 1 ? SIGINT : SIGKILL);
        nanosleep(&moment, NULL);
    }
    return workers->shared->done[row];
}

void workers_end(struct workers **workers)
{
    if (*workers == NULL)
        return;
    send(*workers, SIGKILL);
    for (int k = 0; k < (*workers)->count; k++) {
        if ((*workers)->child[k] > 0)
            waitpid((*workers)->child[k], NULL, 0);
    }
    free(*workers);
    *workers = NULL;
}
