/* SPDX-License-Identifier: MIT */
#include "lab/baseline/ranks.h"

#include <stdlib.h>

/* The first of these variables that is there and holds a number; -1 for none. */
static int first_of(const char *const names[])
{
    for (int i = 0; names[i] != NULL; i++) {
        const char *text = getenv(names[i]);
        char *end = NULL;
        const long value = text != NULL ? strtol(text, &end, 10) : -1;
        if (value >= 0 && value <= 1 << 30 && end != text && *end == '\0')
            return (int)value;
    }
    return -1;
}

/* Open MPI's mpirun; PMIx and PMI, as srun --mpi=pmix or pmi2 starts processes; Slurm alone. A
 * batch script itself has a number from Slurm too, but is no step. */
static int find_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", NULL};
    static const char *const step[] = {"SLURM_STEP_NUM_TASKS", NULL};
    static const char *const slurm[] = {"SLURM_PROCID", NULL};
    const int rank = first_of(names);
    return rank < 0 && first_of(step) > 1 ? first_of(slurm) : rank;
}

bool baseline_is_started(void)
{
    return find_rank() >= 0;
}

int baseline_rank(void)
{
    const int rank = find_rank();
    return rank > 0 ? rank : 0;
}

/* PMIx alone gives no size: then there are several, until MPI says how many. */
int baseline_ranks(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS",
                                        NULL};
    const int rank = find_rank(), ranks = first_of(names);
    if (rank < 0)
        return 1;
    return ranks > rank ? ranks : rank > 0 ? rank + 1 : 2;
}
