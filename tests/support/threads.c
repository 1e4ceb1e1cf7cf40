/* SPDX-License-Identifier: MIT */
#include "support/threads.h"

#include <dirent.h>
#include <unistd.h>

static int before;

int threads_note(void **state)
{
    (void)state;
    before = omp_get_max_threads();
    return 0;
}

int threads_restore(void **state)
{
    (void)state;
    omp_set_num_threads(before);
    return 0;
}

int threads_one(void **state)
{
    (void)state;
    omp_set_num_threads(1);
    return 0;
}

int threads_count(void)
{
    DIR *folder = opendir("/proc/self/task");
    int tasks = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        tasks += entry->d_name[0] != '.';
    closedir(folder);
    return tasks;
}

int threads_count_until(int expected)
{
    int tasks = threads_count();
    for (int k = 0; k < 200 && tasks != expected; k++) {
        usleep(1000);
        tasks = threads_count();
    }
    return tasks;
}
