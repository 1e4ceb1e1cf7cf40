/* SPDX-License-Identifier: MIT */
/* Generated programs whose grids have parts: over MPI, on several devices, and on a processor and a device give the bits of the
 * program in C, whatever the split. No device is needed: one is made of the steps in C. And mutants of what splits. */
#include "support/mpirun.h"
#include "support/shell.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name, *text;
} kernels[] = {
    {"two",
     "//@ state u v\n//@ outside u=wrap\n//@ outside v=0.25\n//@ outside f=clamp\n"
     "//@ input f=(sin(0.7 * x) - y % 3 / 7)\n//@ set feed=0.037,0.06\nvoid kernel(vec2 here)\n{\n"
     "    float u = u_at(0.0, 0.0), v = v_at(0.0, 0.0), r = u * v * v;\n"
     "    float bent = u_at(-2.0, 0.0) + u_at(2.0, 0.0) + v_at(0.0, -1.0) + v_at(0.0, 2.0);\n"
     "    out0 = 0.5 * u + 0.125 * bent - 0.25 * r + feed.x * (1.0 - u) * f_at(0.0, 1.0);\n"
     "    out1 = 0.5 * v + 0.25 * r - (feed.x + feed.y) * v + 0.125 * v_at(1.0, -1.0);\n}\n"},
    {"fields",
     "//@ input x=random\n//@ input left=random\n//@ input rest=(0.1 * x - 0.02 * y)\n"
     "//@ outside left=wrap\n//@ outside x=clamp\nfloat kernel(vec2 here)\n{\n"
     "    return 0.5 * left_at(0.0, -1.0) * x_at(-1.0, 0.0) + 0.4 * x_at(1.0, 1.0) +\n"
     "           0.25 * left_at(1.0, 1.0) * x_at(0.0, -1.0) + 0.01 * rest_at(0.0, -1.0);\n}\n"},
    {"spin", "//@ input x=random\n//@ outside wrap\ndouble kernel(vec2 here)\n{\n"
             "    return 0.4 * x_at(1.0, 1.0) + 0.6 * x_at(-1.0, -1.0) + 0.001 * mod(here.y, 5.0);\n}\n"},
    {"far", "//@ input x=random\n//@ outside 0.3\nfloat kernel(vec2 here)\n{\n"
            "    return 0.5 * x_at(-3.0, 8.0) + 0.25 * x_at(2.0, -7.0) + 0.2 * x_at(0.0, -8.0) +\n"
            "           0.001 * mod(here.y, 5.0);\n}\n"},
};

/* A device that computes nothing until it must, and then one machine after the other, each as far as it need not wait: work that
 * waits for too little comes too early or too late. */
static const char device[] =
    "#include \"steps.c\"\n"
    "enum { WORK = 8192, MACHINES = 32 };\n"
    "static struct queue {\n"
    "    struct machine *m;\n"
    "    int count, done;\n"
    "    struct work {\n"
    "        struct queue *other; /* to wait for, up to `count` of its work */\n"
    "        real *from, *to; /* or rows to copy */\n"
    "        real *cells[ARRAYS], *target[STATES];\n"
    "        int count, steps, beyond;\n"
    "    } work[WORK];\n"
    "} queues[MACHINES];\n"
    "static struct queue *queue_of(struct machine *m)\n"
    "{\n"
    "    struct queue *q = queues;\n"
    "    while (q->m != m)\n"
    "        q++;\n"
    "    return q;\n"
    "}\n"
    "static struct work *add(struct machine *m)\n"
    "{\n"
    "    struct queue *q = queue_of(m);\n"
    "    if (q->count == WORK)\n"
    "        fail(\"too much work\");\n"
    "    memset(&q->work[q->count], 0, sizeof(struct work));\n"
    "    return &q->work[q->count++];\n"
    "}\n"
    "static void catch_up(struct queue *q, int count)\n"
    "{\n"
    "    while (q->done < count) {\n"
    "        const struct work *w = &q->work[q->done++];\n"
    "        struct machine now = *q->m;\n"
    "        if (w->other != NULL)\n"
    "            catch_up(w->other, w->count);\n"
    "        if (w->from != NULL)\n"
    "            memcpy(w->to, w->from, (size_t)w->count * now.pitch * sizeof(real));\n"
    "        if (w->steps > 0) {\n"
    "            memcpy(now.cells, w->cells, sizeof now.cells);\n"
    "            memcpy(now.target, w->target, sizeof now.target);\n"
    "            go(&now, w->steps, w->beyond);\n"
    "        }\n"
    "    }\n"
    "}\n"
    "static struct machine *late_create(const struct grid *grid)\n"
    "{\n"
    "    struct queue *q = queue_of(NULL);\n"
    "    q->count = q->done = 0;\n"
    "    return q->m = create(grid);\n"
    "}\n"
    "static void late_destroy(struct machine *m)\n"
    "{\n"
    "    queue_of(m)->m = NULL;\n"
    "    destroy(m);\n"
    "}\n"
    "static void late_finish(struct machine *m)\n"
    "{\n"
    "    for (int k = MACHINES - 1; k >= 0 && getenv(\"LAST_FIRST\") != NULL; k--)\n"
    "        catch_up(&queues[k], queues[k].count);\n"
    "    catch_up(queue_of(m), queue_of(m)->count);\n"
    "}\n"
    "static void late_put(struct machine *m, int array, int first, int count, const real *rows)\n"
    "{\n"
    "    late_finish(m);\n"
    "    put(m, array, first, count, rows);\n"
    "}\n"
    "static void late_get(struct machine *m, int state, int first, int count, real *rows)\n"
    "{\n"
    "    late_finish(m);\n"
    "    get(m, state, first, count, rows);\n"
    "}\n"
    "static void late_go(struct machine *m, int steps, int beyond)\n"
    "{\n"
    "#pragma omp critical\n"
    "    {\n"
    "        struct work *w = add(m);\n"
    "        memcpy(w->cells, m->cells, sizeof w->cells);\n"
    "        memcpy(w->target, m->target, sizeof w->target);\n"
    "        w->steps = steps;\n"
    "        w->beyond = beyond;\n"
    "    }\n"
    "    memcpy(m->target, m->cells, sizeof m->target);\n"
    "    memcpy(m->cells, queue_of(m)->work[queue_of(m)->count - 1].target, sizeof m->target);\n"
    "}\n"
    "static int devices(void) { return 2; }\n"
    "static void follow(struct machine *m, struct machine *other)\n"
    "{\n"
    "#pragma omp critical\n"
    "    {\n"
    "        struct work *w = add(m);\n"
    "        w->other = queue_of(other);\n"
    "        w->count = w->other->count;\n"
    "    }\n"
    "}\n"
    "static void borrow(struct machine *m, struct machine *o, int row, int source, int count)\n"
    "{\n"
    "#pragma omp critical\n"
    "    for (int k = 0; k < STATES; k++) {\n"
    "        struct work *w = add(m);\n"
    "        w->from = part_row(o, o->cells[k], source) - MARGIN;\n"
    "        w->to = part_row(m, m->cells[k], row) - MARGIN;\n"
    "        w->count = count;\n"
    "    }\n"
    "}\n"
    "const struct engine device = {late_create, late_destroy, at_once, late_put, late_get, load,\n"
    "    late_go, late_finish, name, set, devices, follow, borrow};\n";

/* Programs of a kernel: NAME/c, over MPI, and in NAME/parts `gpus` and `hybrid` with the device above. */
static const char build[] =
    "quadpass generate $k.frag --target all -o $k && make -s -C $k/c CFLAGS=-O1 &&\n"
    "make -s -C $k/mpi CFLAGS='-O1 -Werror' && cp -r $k/mpi $k/parts && cp $k/hybrid/devices.c late.c $k/parts &&\n"
    "cd $k/parts && for o in 'late -DENGINE=late' 'devices -DHYBRID=0' 'devices -DHYBRID=1'; do\n"
    "  cc -std=gnu11 -O1 -Wall -Wextra -Werror -Wno-unused-parameter -ffp-contract=off -fwrapv -fopenmp ${o#* } -c ${o% *}.c -o "
    "${o% *}${o##*=}.o || exit 3\n"
    "done; for h in 0 1; do\n"
    "  cc -fopenmp latelate.o devices$h.o parts.o program.o reference.o steps.o -lm -o parts$h || exit 3\n"
    "done && echo built";

static int make_kernels(void **state)
{
    if (make_folder(state) != 0 || chdir(folder) != 0)
        return -1;
    setenv("OMP_WAIT_POLICY", "passive", 1); /* threads that wait take no time from others */
    setenv("OMP_NUM_THREADS", "2", 1);
    write_file("late.c", device);
    for (int k = 0; k < COUNT(kernels); k++) {
        char text[4096];
        snprintf(text, sizeof text, "%s.frag", kernels[k].name);
        write_file(text, kernels[k].text);
        snprintf(text, sizeof text, "k=%s; %s", kernels[k].name, build);
        expect(text, 0, "built");
    }
    return 0;
}

/* Sizes below a halo, about it and above; exchanges at each go and after several, and empty parts. */
static const char compare[] =
    "cd $k/parts; for size in 7x1 5x3 19x6 9x70 5x601; do\n"
    "  ../c/$k --size $size --steps 37 -o a.npy || exit 3\n"
    "  for s in devices=1 devices=2 devices=3 devices=16 partition=0 partition=0.3 partition=1; do\n"
    "    for more in exchange=1 exchange=3 steps_at_once=1 steps_at_once=4; do for h in 0 1; do\n"
    "      test $h${s%=*} = 1devices && continue; test $h${s%=*} = 0partition && s=\"$s --set devices=4\"\n"
    "      rm -f b.npy; ./parts$h --size $size --steps 37 --set $s --set $more -o b.npy || exit 4\n"
    "      cmp a.npy b.npy || { echo parts$h $size $s $more; exit 5; }\n"
    "done; done; done; done; echo all alike";

static void devices_give_the_bits_of_one(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(kernels); k++) {
        char command[2048];
        snprintf(command, sizeof command, "k=%s; %s", kernels[k].name, compare);
        expect(command, 0, "all alike");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_give_the_bits_of_one),
    };
    return cmocka_run_group_tests(tests, make_kernels, remove_folder);
}
