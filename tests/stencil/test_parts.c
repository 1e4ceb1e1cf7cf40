/* SPDX-License-Identifier: MIT */
/* Generated programs whose grids have parts: over MPI, on several devices, and on a processor and a
 * device give the bits of the program in C, whatever the split. No device is needed: one is made of
 * the steps in C. And mutants of what splits. */
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
    {"spin",
     "//@ input x=random\n//@ outside wrap\ndouble kernel(vec2 here)\n{\n"
     "    return 0.4 * x_at(1.0, 1.0) + 0.6 * x_at(-1.0, -1.0) + 0.001 * mod(here.y, 5.0);\n}\n"},
    {"far", "//@ input x=random\n//@ outside 0.3\nfloat kernel(vec2 here)\n{\n"
            "    return 0.5 * x_at(-3.0, 8.0) + 0.25 * x_at(2.0, -7.0) + 0.2 * x_at(0.0, -8.0) +\n"
            "           0.001 * mod(here.y, 5.0);\n}\n"},
};

/* A device that computes nothing until it must, and then one machine after the other, each as far
 * as it need not wait: work that waits for too little comes too early or too late. Rows that it
 * does not keep are an error, as where they are memory of others. */
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
    "    const int low = m->part.begin - beyond, high = m->part.end + beyond;\n"
    "    const bool free = any_wraps();\n"
    "    if ((free || low > 0 ? low : 0) < m->part.low ||\n"
    "        (free || high < m->height ? high : m->height) > m->part.low + m->part.kept)\n"
    "        fail(\"rows that are not kept\");\n"
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
    "static bool set(const char *key, size_t length, const char *value) { return false; }\n"
    "static void late_sides(int *across, int *up) { *across = *up = 1; }\n"
    "const struct engine device = {late_create, late_destroy, at_once, late_put, late_get, NULL,\n"
    "    late_go, late_finish, name, set, devices, follow, borrow, late_sides};\n";

#define FLAGS "-std=gnu11 -O0 -ffp-contract=off -fwrapv -fopenmp"

/* Programs of a kernel: NAME/c, over MPI, and in NAME/parts `gpus` and `hybrid` with the device
 * above. */
static const char build[] =
    "quadpass generate $k.frag --target all -o $k && make -s -C $k/c CFLAGS=-O0 &&\n"
    "make -s -C $k/mpi CFLAGS='-O0 -Werror' && cp -rp $k/mpi $k/parts &&\n"
    "cp $k/hybrid/devices.c late.c $k/parts && cd $k/parts && warn='-Wall -Wextra -Werror' &&\n"
    "cc " FLAGS " -DENGINE=late -c late.c && for h in 0 1; do\n"
    "  cc " FLAGS " $warn -DHYBRID=$h -c devices.c -o devices$h.o || exit 3\n"
    "  cc -fopenmp late.o devices$h.o parts.o program.o judge.o reference.o steps.o contracted.o "
    "-lm -o parts$h || exit 3\n"
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
    }
    write_file("build", build);
    expect("ls *.frag | sed 's/.frag//' | k= xargs -P 2 -I @ sh -c 'k=@; . ./build'", 0, "");
    assert_int_equal(count("built"), COUNT(kernels));
    return 0;
}

/* The last parts first, and all by one thread. */
#define LATE "LAST_FIRST=1 OMP_THREAD_LIMIT=1"

/* Sizes below a halo, about it and above; exchanges at each go and after several, and empty
 * parts. */
static const char compare[] =
    "cd $k/parts; for c in $long 7x1=steps_at_once=2 19x6=exchange=1 9x70=exchange=3 "
    "9x70=steps_at_once=1 5x601=exchange=1 5x601=steps_at_once=4; do\n"
    "  size=${c%%=*} more=${c#*=}; case $more in s*) export " LATE ";; esac\n"
    "  ../c/$k --size $size --steps 37 -o a.npy || exit 3\n"
    "    for s in 0devices=1 0devices=2 0devices=3 0devices=9 0partition=0.3 1partition=0 "
    "1partition=0.3 1partition=1; do\n"
    "      h=${s%%[dp]*}; rm -f b.npy; case $s in 0p*) d='--set devices=4';; *) d=;; esac\n"
    "      ./parts$h --size $size --steps 37 --set ${s#?} --set $more $d -o b.npy || exit 4\n"
    "      cmp a.npy b.npy || { echo parts$h $size $s $more; exit 5; }\n"
    "done; done; echo all alike";

TEST(devices_give_the_bits_of_one)
{
    for (int k = 0; k < COUNT(kernels); k++) {
        char command[2048];
        snprintf(command, sizeof command, "k=%s long='%s'; %s", kernels[k].name,
                 support_takes_long()
                     ? "1x1=exchange=2 5x3=steps_at_once=1 5x601=exchange=3 9x150=exchange=2"
                     : "",
                 compare);
        expect(command, 0, "all alike");
    }
}

/* A kernel, ranks, a grid, and settings. Fewer rows than ranks, a part of all rows, and several
 * exchanges. */
TEST(ranks_give_the_bits_of_one)
{
    static const struct {
        const char *kernel, *size, *settings;
        int ranks;
    } rows[] = {{"two", "9x70", "--set partition=0.3 --set exchange=1", 2},
                {"two", "19x6", "", 7},
                {"fields", "9x150", "--set exchange=2", 3},
                {"spin", "5x3", "--set partition=1", 3},
                {"spin", "3x333", "--set steps_at_once=4", 4},
                {"far", "5x601", "", 3}};
    need_mpirun();
    for (int k = 0; k < COUNT(rows); k++) {
        char command[1024];
        snprintf(command, sizeof command,
                 "cd %s/mpi && ../c/%s --size %s --steps 37 -o a.npy && " MPIRUN
                 "-n %d ./%s --size %s --steps 37 %s -o b.npy && cmp a.npy b.npy && echo alike",
                 rows[k].kernel, rows[k].kernel, rows[k].size, rows[k].ranks, rows[k].kernel,
                 rows[k].size, rows[k].settings);
        expect(command, 0, "alike");
    }
    expect("cd fields && " MPIRUN "-n 3 mpi/fields --set partition=2 2>&1", 2,
           "fields: partition is a part of the rows from 0 to 1, not '2'\n");
    assert_int_equal(count("fields: "), 1);
    expect("echo '//@ tuned mpi partition=0.3' >tuned.frag; cat fields.frag >>tuned.frag; quadpass "
           "generate tuned.frag -o tuned; grep 'double partition' tuned/*/parts.c",
           0,
           "tuned/gpus/parts.c:double partition = -1;\ntuned/hybrid/parts.c:double partition = "
           "-1;\ntuned/mpi/parts.c:double partition = 0.3;\n");
}

/* ---- Mutants ---- */

/* Edits by sed of a file. Some make programs wrong only after more steps than a check takes. */
static const struct {
    const char *kernel, *file, *wrong, *edit;
    bool lasts;
} mutants[] = {
    {"fields", "parts.c", "a border row off",
     "s/{owner, .y, source,/{owner, *y, source > 0 ? source - 1 : 0,/", false},
    {"spin", "parts.c", "a row too few of a border",
     "s/, .y, source, count}/, *y, source, count - (count > 1)}/", false},
    {"two", "parts.c", "parts that keep too few rows",
     "s/least(HALO, wraps/least(HALO \\/ 32, wraps/", false},
    {"fields", "parts.c", "no copies where an input wraps", "s/k < ARRAYS; k++/k < STATES; k++/",
     false},
    {"spin", "parts.c", "borders that last in a part that keeps all",
     "s/any_wraps() && parts.k..kept == height/false/", true},
    {"fields", "parts.c", "an input without borders", "s/array < STATES ?/array < ARRAYS ?/",
     false},
    {"fields", "parts.c", "a copy of another row",
     "s/source = (y + grid->height) % grid->height/source = y < 0 ? 0 : y % grid->height/", false},
    {"fields", "parts.c", "borders that are used for too long",
     "s/goes = exchange;/goes = exchange + 1;/", true},
    {"two", "devices.c", "no exchange", "s/exchanges = m->left < steps . REACH/exchanges = false/",
     false},
    {"fields", "devices.c", "no exchange but the first", "s/: m->left) - steps . REACH/: m->left)/",
     true},
    {"far", "devices.c", "an exchange a go late", "s/m->left < steps . REACH/m->left < 0/", false},
    {"two", "devices.c", "the first state alone", "s/state < STATES/state < 1/", false},
    {"fields", "devices.c", "copies before their steps",
     "s/if (owner == e)$/if (owner == e \\&\\& waits)/", false},
    {"fields", "devices.c", "steps before others copied",
     "s/if (owner == e)$/if (owner == e \\&\\& !waits)/", true},
    {"spin", "devices.c", "a row too few beyond a part",
     "s/kept > 0 ? m->left : 0/kept > 0 ? m->left - 1 : 0/", false},
    {"spin", "devices.c", "a row too few of a part",
     "s/part->begin, part->end - part->begin/part->begin, part->end - part->begin - 1/", false},
};

static const char hunt[] =
    "cp -rp $k/parts m$m && cd m$m && sed -i \"$edit\" $file && cmp -s $file ../$k/parts/$file && "
    "echo same\n"
    "for h in 0 1; do\n"
    "  cc " FLAGS " -w -DHYBRID=$h -c $file -o new.o || exit 3\n"
    "  others=$(ls late.o devices$h.o parts.o | grep -v ${file%.c})\n"
    "  cc -fopenmp $others new.o program.o judge.o reference.o steps.o contracted.o -lm -o parts$h "
    "|| exit 3\n"
    "done\n"
    "for s in '0 --set devices=3' '1 --set partition=0.4'; do\n"
    "  ./parts$s --check --set exchange=1 >check.txt\n"
    "  test $? = 1 && grep -q ' cells, .*error ' check.txt && echo found\n"
    "  for size in $sizes; do ../$k/c/$k --size $size --steps 90 -o a.npy || exit 3\n"
    "    p=\"./parts$s --size $size --steps 90 -o b.npy\"; rm -f b.npy\n"
    "    " LATE " $p 2>wrong.txt; cmp -s a.npy b.npy || echo found; grep -v 'not kept' wrong.txt\n"
    "done; done; true";

TEST(mutants_are_found)
{
    int lost = 0;
    for (int m = 0; m < COUNT(mutants); m += support_takes_long() ? 1 : 3) {
        char command[2048];
        snprintf(command, sizeof command, "k=%s m=%d file=%s edit='%s' sizes='%s'; %s",
                 mutants[m].kernel, m, mutants[m].file, mutants[m].edit,
                 mutants[m].lasts ? "5x70 5x150" : "", hunt);
        const int code = shell(command);
        if (code == 3 || count("found") == 0 || count("same") > 0) {
            print_error("%s: %s is not found: %s\n", mutants[m].kernel, mutants[m].wrong, output);
            lost++;
        }
    }
    assert_int_equal(lost, 0);
}

GROUP(make_kernels, remove_folder)
