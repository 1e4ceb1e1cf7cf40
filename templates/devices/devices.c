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

static int parts = 0; /* a setting; 0: as many as there are devices */

/* HYBRID is the Makefile's word: the processor has the lowest rows, and a device all others. */
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
    int count, threads, goes; /* see goes_of */
    struct part part[MOST_PARTS];
    struct machine *of[MOST_PARTS];
    int left;   /* rows of borders that are still right */
    real *rows; /* rows on their way from one machine to another */
    char name[400];
};

/* Makes a machine of parts; the first has this share of the rows. */
static struct machine *build(const struct grid *grid, double first)
{
    struct machine *m = (struct machine *)allocate(1, sizeof *m);
    const int count = device.devices();
    memset(m, 0, sizeof *m);
    m->grid = *grid;
    m->count = HYBRID ? 2 : parts > 0 ? parts : count < MOST_PARTS ? count : MOST_PARTS;
    m->threads = HYBRID ? 1 : m->count; /* the device works while this thread computes */
    m->rows = (real *)allocate((size_t)HALO * (size_t)grid->width, sizeof(real));
    for (int k = 0; k < m->count; k++) {
        struct grid own = *grid;
        own.part = m->part[k] = part_of(grid->height, m->count, k, first);
        own.part.device = HYBRID ? 0 : k % count;
        m->of[k] = engine_of(k)->create(&own);
    }
    m->goes = goes_of(m->part, m->count, grid->height);
    return m;
}

static void destroy(struct machine *m)
{
    for (int k = 0; k < m->count; k++)
        engine_of(k)->destroy(m->of[k]);
    free(m->rows);
    free(m);
}

/* Default of steps in one go: the default of the last machine, which is a device. */
static int at_once(const struct machine *m, int asked)
{
    const int last = m->count - 1, wanted = engine_of(last)->at_once(m->of[last], asked);
    int steps = wanted;
    for (int k = 0; k < last; k++) {
        const int own = engine_of(k)->at_once(m->of[k], wanted);
        steps = own < steps ? own : steps;
    }
    return steps;
}

static void put(struct machine *m, int array, int first, int count, const real *rows)
{
    (void)first, (void)count; /* all */
    m->left = 0;
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
        if (engine_of(k)->load != NULL)
            engine_of(k)->load(m->of[k], steps);
}

/* Copies rows that a part needs of other parts, which have begun their steps: from device to
 * device, or through the host's memory. Or, after all copies, waits until others have theirs. */
static void copy_borders(struct machine *m, int k, bool waits)
{
    const struct engine *e = engine_of(k);
    struct border b;
    for (int y = m->part[k].low; next_border(m->part, k, m->grid.height, &y, &b);) {
        const struct engine *owner = engine_of(b.owner);
        if (owner == e)
            e->follow(m->of[k], m->of[b.owner]);
        if (owner == e && !waits)
            e->borrow(m->of[k], m->of[b.owner], b.row, b.source, b.count);
        for (int state = 0; state < STATES && owner != e && !waits; state++) {
            owner->get(m->of[b.owner], state, b.source, b.count, m->rows);
            e->put(m->of[k], state, b.row, b.count, m->rows);
        }
    }
}

/* Copies borders: all copies begin before a part waits for others, and all wait before a step
 * begins. */
static void exchange_borders(struct machine *m, int first, int threads)
{
    for (int waits = 0; waits < 2; waits++) {
        for (int k = first; k >= 0; k -= threads)
            copy_borders(m, k, waits);
#pragma omp barrier
    }
}

/* A thread a device. In a hybrid one thread begins the device's steps, then takes its own. */
static void go(struct machine *m, int steps, int beyond)
{
    const bool exchanges = m->left < steps * REACH;
    (void)beyond;
    m->left = (exchanges ? m->goes * steps * REACH : m->left) - steps * REACH;
#pragma omp parallel num_threads(m->threads)
    {
        const int threads = omp_get_num_threads(), first = m->count - 1 - omp_get_thread_num();
        if (exchanges)
            exchange_borders(m, first, threads);
        for (int k = first; k >= 0; k -= threads)
            engine_of(k)->go(m->of[k], steps, m->part[k].kept > 0 ? m->left : 0);
    }
}

static void finish(struct machine *m)
{
    for (int k = 0; k < m->count; k++)
        if (engine_of(k)->finish != NULL)
            engine_of(k)->finish(m->of[k]);
}

/* ---- The trial ---- */

/* Seconds with this share from an exchange of borders to the next, after as many steps. */
static double time_share(const struct grid *grid, double first)
{
    struct machine *m = build(grid, first);
    const int steps = at_once(m, 0);
    double start = 0.0;
    for (int k = 0; k < ARRAYS; k++)
        put(m, k, 0, grid->height, grid->cells[k]);
    for (int run = 0; run < 2; run++) {
        start = omp_get_wtime();
        for (int k = 0; k < m->goes; k++)
            go(m, steps, 0);
        finish(m);
    }
    const double took = omp_get_wtime() - start;
    destroy(m);
    return took;
}

/* The fastest of four shares: all by the device, all by the processor, the share with which both
 * would take equally long by these times, and half of it. */
static double try_shares(const struct grid *grid)
{
    double shares[4] = {0.0, 1.0, 0.0, 0.0}, took[4];
    int best = 0;
    for (int k = 0; k < 4; k++) {
        took[k] = time_share(grid, shares[k]);
        best = took[k] < took[best] ? k : best;
        if (k == 1) {
            shares[2] = took[0] / (took[0] + took[1]);
            shares[3] = shares[2] / 2.0;
        }
    }
    return shares[best];
}

static struct machine *create(const struct grid *grid)
{
    return build(grid, HYBRID && partition < 0.0 ? try_shares(grid) : partition);
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
    if (set_parts(key, length, value))
        return true;
    if (HYBRID || length != 7 || strncmp(key, "devices", length) != 0)
        return device.set(key, length, value);
    parts = atoi(value);
    if (parts < 1 || parts > MOST_PARTS)
        fail("devices are 1 to %d, used in turn where there are fewer, not '%s'", MOST_PARTS,
             value);
    return true;
}

static void sides(int *across, int *up)
{
    int other_across, other_up;
    engine_of(0)->sides(across, up);
    engine_of(1)->sides(&other_across, &other_up);
    *across = other_across > *across ? other_across : *across;
    *up = other_up > *up ? other_up : *up;
}

const struct engine engine = {create, destroy, at_once, put,  get,  load, go,
                              finish, name,    set,     NULL, NULL, NULL, sides};
