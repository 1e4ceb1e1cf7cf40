/*@ origin */
/* heat.frag on several machines of one computer, which compute their parts at the same time. */
/*@ end */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

enum { MOST_PARTS = 16 };

extern const struct engine processor, device;

/* Settings: a part of the rows for the first, below 0: equal parts, or what a trial finds; and the
 * number of parts, 0: as many as there are devices. */
static double share = -1.0;
static int parts = 0;

/* HYBRID is the Makefile's word: the processor has the lowest rows, and one device the others. */
static const struct engine *engine_of(int k)
{
#if HYBRID
    if (k == 0)
        return &processor;
#endif
    (void)k;
    return &device;
}

struct machine {
    struct grid grid;
    int count, threads;
    struct part part[MOST_PARTS];
    struct machine *of[MOST_PARTS];
    real *rows; /* on their way from one to the other */
    char name[400];
};

/* ---- The trial ---- */

/* Seconds of some steps over the whole grid by one engine. */
static double time_alone(int k, const struct grid *grid)
{
    const struct engine *e = engine_of(k);
    struct machine *machine = e->create(grid);
    const int steps = e->at_once(machine, 0);
    double start = 0.0;
    for (int array = 0; array < ARRAYS; array++)
        e->put(machine, array, 0, grid->height, grid->cells[array]);
    e->load(machine, steps);
    for (int run = 0; run < 2; run++) {
        start = omp_get_wtime();
        e->go(machine, steps);
        e->finish(machine);
    }
    const double took = (omp_get_wtime() - start) / steps;
    e->destroy(machine);
    return took;
}

/* The first one's share, with which both take as long. */
static double try_share(const struct grid *grid)
{
    const double first = time_alone(0, grid), second = time_alone(1, grid);
    return second / (first + second);
}

/* ---- The machine, for program.c ---- */

static struct machine *create(const struct grid *grid)
{
    struct machine *m = (struct machine *)allocate(1, sizeof *m);
    const int devices = device.devices();
    memset(m, 0, sizeof *m);
    m->grid = *grid;
    m->count = HYBRID ? 2 : parts > 0 ? parts : devices < MOST_PARTS ? devices : MOST_PARTS;
    m->threads = HYBRID ? 1 : m->count; /* the device works while this thread computes */
    m->rows = (real *)allocate((size_t)HALO * (size_t)grid->width, sizeof(real));
    const double first = HYBRID && share < 0.0 ? try_share(grid) : share;
    for (int k = 0; k < m->count; k++) {
        struct grid own = *grid;
        own.part = m->part[k] = part_of(grid->height, m->count, k, first);
        own.part.device = HYBRID ? 0 : k % devices;
        m->of[k] = engine_of(k)->create(&own);
    }
    return m;
}

static void destroy(struct machine *m)
{
    for (int k = 0; k < m->count; k++)
        engine_of(k)->destroy(m->of[k]);
    free(m->rows);
    free(m);
}

static int at_once(const struct machine *m, int asked)
{
    int steps = MOST_AT_ONCE;
    for (int k = 0; k < m->count; k++) {
        const int own = engine_of(k)->at_once(m->of[k], asked);
        steps = own < steps ? own : steps;
    }
    return steps;
}

static void put(struct machine *m, int array, int first, int count, const real *rows)
{
    (void)first, (void)count; /* all */
    for (int k = 0; k < m->count; k++)
        put_part(engine_of(k), m->of[k], &m->part[k], &m->grid, array, rows);
}

static void get(struct machine *m, int state, int first, int count, real *rows)
{
    (void)first, (void)count;
    for (int k = 0; k < m->count; k++) {
        const struct part *part = &m->part[k];
        engine_of(k)->get(m->of[k], state, part->begin, part->end - part->begin,
                          rows + (size_t)part->begin * (size_t)m->grid.width);
    }
}

static void load(struct machine *m, int steps)
{
    for (int k = 0; k < m->count; k++)
        engine_of(k)->load(m->of[k], steps);
}

/* Copies what a part needs of others: from device to device, or through the host's memory. */
static void copy_borders(struct machine *m, int k)
{
    const struct engine *e = engine_of(k);
    struct border b;
    for (int y = m->part[k].low; next_border(m->part, k, m->grid.height, &y, &b);) {
        const struct engine *owner = engine_of(b.owner);
        if (owner == e) {
            e->borrow(m->of[k], m->of[b.owner], b.row, b.source, b.count);
            continue;
        }
        for (int state = 0; state < STATES; state++) {
            owner->get(m->of[b.owner], state, b.source, b.count, m->rows);
            e->put(m->of[k], state, b.row, b.count, m->rows);
        }
    }
}

/* A thread a device. In a hybrid one thread begins the device's steps, then takes its own. */
static void go(struct machine *m, int steps)
{
#pragma omp parallel num_threads(m->threads)
    {
        const int last = m->count - 1 - omp_get_thread_num();
        for (int k = last; k >= 0; k -= m->threads)
            engine_of(k)->go(m->of[k], steps);
#pragma omp barrier
        for (int k = last; k >= 0; k -= m->threads)
            copy_borders(m, k);
    }
}

static void finish(struct machine *m)
{
    for (int k = 0; k < m->count; k++)
        engine_of(k)->finish(m->of[k]);
}

static const char *name(struct machine *m)
{
    size_t used = 0;
    for (int k = 0; k < m->count && used < sizeof m->name - 1; k++)
        used += (size_t)snprintf(m->name + used, sizeof m->name - used, "%s%d rows by %s",
                                 k > 0 ? ", " : "", m->part[k].end - m->part[k].begin,
                                 engine_of(k)->name(m->of[k]));
    return m->name;
}

static bool set(const char *key, size_t length, const char *value)
{
    if (set_partition(key, length, value, &share))
        return true;
    if (HYBRID || length != 7 || strncmp(key, "devices", length) != 0)
        return device.set(key, length, value);
    parts = atoi(value);
    if (parts < 1 || parts > MOST_PARTS)
        fail("devices are 1 to %d, used in turn where there are fewer, not '%s'", MOST_PARTS,
             value);
    return true;
}

static int devices(void)
{
    return parts;
}

const struct engine engine = {create, destroy, at_once, put, get,     load,
                              go,     finish,  name,    set, devices, NULL};
