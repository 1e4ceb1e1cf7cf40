/* SPDX-License-Identifier: MIT */
/* Programs as mpirun starts them in tests: more processes than cores, as root too, in containers
 * too. */
#ifndef QP_TESTS_MPIRUN_H
#define QP_TESTS_MPIRUN_H

/* In front of "-n 4 PROGRAM": ends by itself after a minute. Ranks that wait yield to other tests:
 * busy loops of three once made a solve of some seconds outlast that minute. Open MPI keeps memory
 * at its end by design, which a leak checker must not mind. Each has a folder of its own: two that
 * begin at once in one take each other's away. */
#define MPIRUN                                                                      \
    "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "                    \
    "ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 OMP_NUM_THREADS=1 LP_NUM_THREADS=1 " \
    "timeout -k 5 60 mpirun --oversubscribe --bind-to none --mca orte_tmpdir_base " \
    "$(mktemp -d -p \"${OMPI_MCA_orte_tmpdir_base:-/tmp}\" XXXXXX) "                \
    "--mca mpi_yield_when_idle 1 "

/* Skips the test in a build without MPI, and where there is no mpirun. */
void need_mpirun(void);

#endif
