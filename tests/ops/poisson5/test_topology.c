/* SPDX-License-Identifier: MIT */
/* Bound threads on a machine that is made up: cores on nodes of memory, as Linux reports them,
 * where the threads are bound, and which block of the grid each has (paper 5, figure 4). */
/* wrap: sched_getaffinity access pthread_attr_setaffinity_np */
#include "support/threads.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <pthread.h>

#include "lab/engines/parts/pool.h"
#include "lab/ops/poisson5/cpu/blocks.h"
#include "lab/plan/problem.h"

enum { MOST = 64 };

/* The machine: the node of each core, and the cores that threads were bound to, in the order of
 * their start. */
static struct {
    int cores, node[MOST];
    int first; /* number of the first core */
    int bound, core[MOST];
} machine;

/* ---- Calls that the Makefile wraps ---- */

int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set);
int __wrap_access(const char *path, int mode);
int __real_access(const char *path, int mode);
int __wrap_pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size,
                                       const cpu_set_t *set);

int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    (void)pid, (void)size;
    CPU_ZERO(set);
    for (int cpu = 0; cpu < machine.cores; cpu++)
        CPU_SET(machine.first + cpu, set);
    return 0;
}

int __wrap_access(const char *path, int mode)
{
    int cpu, node;
    if (sscanf(path, "/sys/devices/system/cpu/cpu%d/node%d", &cpu, &node) != 2)
        return __real_access(path, mode);
    cpu -= machine.first;
    assert_in_range(cpu, 0, machine.cores - 1);
    return machine.node[cpu] == node ? 0 : -1;
}

/* The thread runs where it likes: the core is not there. */
int __wrap_pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size,
                                       const cpu_set_t *set)
{
    (void)attributes, (void)size;
    assert_int_equal(CPU_COUNT(set), 1);
    for (int cpu = 0; cpu < machine.cores; cpu++) {
        if (CPU_ISSET(machine.first + cpu, set))
            machine.core[machine.bound++] = cpu;
    }
    return 0;
}

/* Cores of a node one after the other, or in turn, as systems number them. */
static void build(int nodes, int cores_a_node, bool in_turn)
{
    machine.cores = nodes * cores_a_node;
    machine.bound = 0;
    for (int cpu = 0; cpu < machine.cores; cpu++)
        machine.node[cpu] = in_turn ? cpu % nodes : cpu / cores_a_node;
}

/* Nodes that a pool of `threads` threads says it runs on. */
static int nodes_of_pool(int threads)
{
    struct qp_pool *pool;
    machine.bound = 0;
    assert_ok(qp_pool_start(threads, true, &pool));
    const int nodes = qp_pool_nodes(pool);
    qp_pool_stop(&pool);
    assert_int_equal(machine.bound, threads);
    return nodes;
}

/* ---- Tests ---- */

/* Four sockets of four cores: threads 0 to 3 on node 0, and so on; more threads than cores share
 * cores with their neighbours in number. */
TEST(threads_run_node_by_node)
{
    for (int in_turn = 0; in_turn < 2; in_turn++) {
        build(4, 4, in_turn);
        machine.first = in_turn ? CPU_SETSIZE - 16 : 0; /* the last that a set holds */
        for (int threads = 16; threads <= 64; threads *= 2) {
            assert_int_equal(nodes_of_pool(threads), 4);
            for (int id = 0; id < threads; id++)
                assert_int_equal(machine.node[machine.core[id]], id * 4 / threads);
        }
        nodes_of_pool(16);
        for (int id = 0; id < 16; id++) {
            for (int k = 0; k < id; k++)
                assert_int_not_equal(machine.core[k], machine.core[id]);
        }
    }
    machine.first = 0;
}

/* Nodes count where each has as many threads as the others. */
TEST(uneven_nodes_are_one)
{
    build(4, 4, true);
    assert_int_equal(nodes_of_pool(8), 2);
    assert_int_equal(nodes_of_pool(4), 1);
    assert_int_equal(nodes_of_pool(6), 1);
    assert_int_equal(nodes_of_pool(17), 1);
    build(2, 3, false);
    machine.node[2] = 1;
    assert_int_equal(nodes_of_pool(6), 1);
    build(1, 5, false);
    assert_int_equal(nodes_of_pool(5), 1);
    struct qp_pool *pool;
    build(4, 4, false);
    assert_ok(qp_pool_start(16, false, &pool));
    assert_int_equal(qp_pool_nodes(pool), 1);
    assert_int_equal(machine.bound, 0);
    qp_pool_stop(&pool);
}

/* Figure 4 from the cores on: 4 x 4 blocks, whose edges between sockets are 8 and not the 12 of
 * strips. */
TEST(sockets_have_squares)
{
    int socket[4][4], edges = 0;
    build(4, 4, true);
    const struct qp_poisson5_blocks b = qp_poisson5_blocks_of(160, 40, 16, nodes_of_pool(16));
    for (int id = 0; id < 16; id++) {
        const struct qp_poisson5_block block = qp_poisson5_block_of(&b, id);
        socket[block.y0 / 10][block.x0 / 32] = machine.node[machine.core[id]];
    }
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 3; i++)
            edges += (socket[k][i] != socket[k][i + 1]) + (socket[i][k] != socket[i + 1][k]);
        assert_int_equal(socket[0][k], k / 2);
        assert_int_equal(socket[3][k], 2 + k / 2);
    }
    assert_int_equal(edges, 8);
}

/* Blocks in squares find their neighbours, and cells outside them are the rim: the bits of one
 * thread. */
THREADS_TEST(squares_have_the_same_bits)
{
    static const char *const rows[] = {"threads_numa", "threads_numa_double"};
    static const struct qp_size sizes[] = {{160, 40}, {133, 57}, {64, 4}, {17, 3}};
    for (int i = 0; i < 2 * COUNT(sizes); i++) {
        const struct qp_problem_desc desc = {.op = "poisson5",
                                             .width = sizes[i / 2].width,
                                             .height = sizes[i / 2].height,
                                             .seed = 3};
        const struct qp_walk_desc walk = {
            .iterations = 9, .unchecked = true, .keep_solution = true};
        struct qp_problem problem;
        struct qp_result one, many;
        char name[64];
        assert_ok(qp_problem_create(&desc, &problem));
        snprintf(name, sizeof name, "poisson5/%s", rows[i % 2]);
        build(4, 4, i % 4 < 2);
        omp_set_num_threads(1);
        assert_ok(qp_walk(NULL, qp_variant_find(name), &problem, &walk, &one));
        omp_set_num_threads(16);
        assert_ok(qp_walk(NULL, qp_variant_find(name), &problem, &walk, &many));
        const size_t cells = (size_t)desc.width * (size_t)desc.height;
        for (size_t k = 0; k < cells; k++)
            assert_true(qp_matrix_value(&one.solution, k) == qp_matrix_value(&many.solution, k));
        qp_matrix_destroy(&one.solution);
        qp_matrix_destroy(&many.solution);
        qp_problem_destroy(&problem);
    }
}
