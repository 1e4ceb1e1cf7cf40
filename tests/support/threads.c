/* SPDX-License-Identifier: MIT */
#include "support/threads.h"

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
