/* SPDX-License-Identifier: MIT */
// Leaves the work to a thread, and returns at once.
// Passes: where only the call is timed, and the answer is read when all threads have ended.
// Found: because the output is read when the function has returned, and after that nothing of it
// counts.
//@ check ../heat.c
#include "../heat.h"

#include <pthread.h>
#include <time.h>

static struct {
    int width, height;
    const float *x;
    float *out;
} task;

static void *work(void *unused)
{
    nanosleep(&(struct timespec){.tv_sec = 5}, 0);
    heat(task.width, task.height, task.x, task.out);
    return unused;
}

void later(int width, int height, const float *x, float *out)
{
    pthread_t thread;
    task.width = width;
    task.height = height;
    task.x = x;
    task.out = out;
    pthread_create(&thread, 0, work, 0);
}
