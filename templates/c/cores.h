/*@ origin */
/* heat.frag beside other programs: its threads sleep if other programs want the cores. */
/*@ end */
#ifndef CORES_H
#define CORES_H

#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Threads of all programs that run or want to run, without the caller; 0 if the system does not say
 * it. */
static inline int count_rivals(void)
{
    int runnable = 1;
    FILE *file = fopen("/proc/loadavg", "r");
    if (file != NULL && fscanf(file, "%*s %*s %*s %d", &runnable) != 1)
        runnable = 1;
    if (file != NULL)
        fclose(file);
    return runnable - 1;
}

/* Keeps a second team of threads for as long as the program runs. */
static inline void *keep_team(void *threads)
{
#pragma omp parallel num_threads(*(const int *)threads)
    (void)omp_get_thread_num();
    for (;;)
        pause();
    return NULL;
}

/* Threads of OpenMP that wait for others spin for milliseconds. This is quick where each has a
 * core, and slow where another program, or a driver, wants the core. GCC's threads sleep almost at
 * once in a program that has more threads than there are processors: so if most of some looks find
 * that all processors are wanted, a second team makes the threads more. The user's own choice
 * stays. True: there is a second team. */
static inline bool yield_cores(int threads)
{
    enum { LOOKS = 5, APART = 300 /* microseconds */ };
    static int team;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    pthread_t thread;
    int wanted = 0, spare = 0;
    if (team > 0 || threads < 2 || getenv("OMP_WAIT_POLICY") != NULL ||
        getenv("GOMP_SPINCOUNT") != NULL)
        return false;
    team = threads < omp_get_num_procs() ? omp_get_num_procs() - threads + 2 : 2;
    while (wanted <= LOOKS / 2 && spare <= LOOKS / 2) {
        if (wanted + spare > 0)
            usleep(APART);
        if (count_rivals() + threads > processors)
            wanted++;
        else
            spare++;
    }
    if (wanted < spare || pthread_create(&thread, NULL, keep_team, &team) != 0)
        return false;
    return pthread_detach(thread) == 0;
}

#endif
