/*@ origin */
/* heat.frag as C: the kernel, and many steps of it in strips of rows. */
/*@ end */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include "cores.h"
#include "stencil.h"

/* Mark of a loop whose rounds read nothing that other rounds write. */
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#define UNROLLED    _Pragma("unroll")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#define UNROLLED    _Pragma("GCC unroll 4")
#endif

/* ---- Rows ---- */

/*@ tune steps = 1 2 3 4 6 8 12 16 */
/*@ tune together = 1 2 4 8 */
/*@ tune tile = 256 512 1024 2048 4096 8192 */
/*@ tune aligned = 1 0 */
/*@ tune threads = 0 1 */
/*@ takes steps = 1 to 16 */
/*@ takes together = 1 to 8 */
/*@ takes tile = 16 to 65536 */
/*@ takes threads = 0 to 1024 */
/*@ tune not steps = 1 with tile < 4096 */
/*@ tune not steps = 1 with together > 1 */
/*@ tile across = tile */
/*@ term bytes = arrays / steps + states / steps */
/*@ term fetches = arrays + 2 * reach / together */
/*@ term arithmetic = 1 + threads + 2 * reach * steps / tile */
/*@ term launches = 1 / steps */
/*@ together */
#define TOGETHER 4 /* rows that are computed at once, so that rows between them are read once */
/*@ end */
enum { NEEDED = 2 * REACH + TOGETHER }; /* rows of an array that these need */
enum { ROWS = NEEDED <= 4 ? 4 : NEEDED <= 8 ? 8 : NEEDED <= 16 ? 16 : 32 }; /* rows kept */
enum { LINE = 64 / sizeof(real) };                  /* values of a line of the cache */
enum { MARGIN = (REACH + LINE - 1) / LINE * LINE }; /* values in front of a row, REACH in use */
#ifndef TILE
#define TILE (16384 / (int)sizeof(real)) /* columns at once: all steps' rows stay in the cache */
#endif
#ifndef ALIGNED
#define ALIGNED 1 /* tiles begin at a line of the cache */
#endif
#ifndef THREADS
#define THREADS 0 /* 0: all */
#endif
#ifndef STREAMED
#define STREAMED 100000000 /* bytes of all arrays from which on caches do not keep them */
#endif

/* A part of all arrays, each row with MARGIN values more at either end, REACH of them in use; and
 * memory for the states after the steps. */
struct machine {
    int width, height, threads;
    struct part part;
    int tile; /* columns at once */
    bool streams;
    size_t pitch;
    struct numbers set;
    real *cells[ARRAYS], *target[STATES];
    real *beyond[ARRAYS]; /* a row outside of each array */
    real *kept;           /* rows of each thread, between steps */
    char name[80];
};

/* Rows of all arrays from REACH below row y to REACH above the last row that is computed with y. A
 * row has REACH values more at either end. */
struct rows {
    const real *of[ARRAYS][NEEDED];
    int y;
    bool streams; /* new values go past the caches */
};

/* A step of columns from `begin` up to `end` of one row or TOGETHER rows. */
typedef void step_function(const struct rows *rows, const struct numbers *set, int begin, int end,
                           real *const *out, int count);

/* This file is compiled twice where the Makefile says so: the second time the kernel alone, with
 * products that are fused with sums. */
#ifdef CONTRACTED
#define STEP_ROWS step_contracted
step_function step_contracted;
#else
#define STEP_ROWS step_exact
static step_function step_exact;
#ifdef CONTRACTS
step_function step_contracted;
static bool contracts = false;
#else
#define step_contracted step_exact /* there is no other */
enum { contracts = false };
#endif

static int wrapped(int i, int n)
{
    const int rest = i >= 0 && i < n ? i : i % n; /* a division takes as long as many cells */
    return rest < 0 ? rest + n : rest;
}

static real *row_of(const struct machine *m, real *cells, int y)
{
    return cells + (size_t)y * m->pitch + MARGIN;
}

/* The place of row y, or of the row that y copies, among the part's rows. */
static real *part_row(const struct machine *m, real *cells, int y)
{
    return row_of(m, cells, wrapped(y - m->part.low, m->height));
}

/* Fills in the ends of a row whose columns from `begin` up to `end` are new. */
static void pad(const struct machine *m, int array, real *row, int begin, int end)
{
    for (int i = 1; i <= REACH && (begin == 0 || end == m->width); i++) {
        const int before = arrays[array].outside == WRAP ? wrapped(-i, m->width) : 0,
                  after = arrays[array].outside == WRAP ? wrapped(i - 1, m->width) : m->width - 1;
        row[-i] = arrays[array].outside == VALUE ? (real)arrays[array].beyond : row[before];
        row[m->width + i - 1] =
            arrays[array].outside == VALUE ? (real)arrays[array].beyond : row[after];
    }
}

/* ---- Steps ---- */

/* Steps of a tile's columns in some rows by one thread, all after each other: where the first
 * has computed row y, the second can compute row y - REACH, and so on, several rows at once. Of the
 * states between two steps the latest ROWS rows are kept. Where a state wraps, rows beyond the grid
 * are the rows of the other side, computed once more. */
struct strip {
    const struct machine *m;
    int steps;
    int begin, end; /* columns */
    real *kept;     /* ROWS rows of each state, step after step */
};

/* Row y of an array after `step` steps; y may be beyond the grid. */
static real *kept_row(const struct strip *strip, int array, int step, int y)
{
    const struct machine *m = strip->m;
    if (array >= STATES || step == 0)
        return part_row(m, m->cells[array], y);
    if (step == strip->steps)
        return part_row(m, m->target[array], y);
    return row_of(m, strip->kept, ((step - 1) * STATES + array) * ROWS + (y & (ROWS - 1)));
}

/* The row at distance dy from row y; outside of the copy of the grid with y, its substitute. */
static const real *row_beside(const struct strip *strip, int array, int step, int y, int dy)
{
    const int height = strip->m->height, first = y - wrapped(y, height), last = first + height - 1;
    const bool inside = y + dy >= first && y + dy <= last;
    if (!inside && arrays[array].outside == VALUE)
        return strip->m->beyond[array] + MARGIN;
    if (!inside && arrays[array].outside == CLAMP)
        return kept_row(strip, array, step, dy < 0 ? first : last);
    return kept_row(strip, array, step, y + dy);
}

/* Columns around a tile that a step computes: each later step needs REACH fewer on either side.
 * More are computed, so that rows begin at a line of the cache; their values may be wrong, and no
 * later step reads them. Integers take no more: by wrong values a loop might not end. */
static int columns_around(const struct strip *strip, int step)
{
    const int needed = (strip->steps - step) * REACH;
    return IS_WHOLE || TOGETHER == 1 || !ALIGNED ? needed : (needed + LINE - 1) / LINE * LINE;
}

/* Rows y to y + count - 1 of the grid, or of a copy beside it. */
static void compute_rows(const struct strip *strip, int step, int y, int count)
{
    const struct machine *m = strip->m;
    const int more = columns_around(strip, step);
    const int begin = strip->begin > more ? strip->begin - more : 0,
              end = strip->end < m->width - more ? strip->end + more : m->width;
    struct rows rows;
    real *out[TOGETHER * STATES] = {NULL};
    rows.y = wrapped(y, m->height);
    rows.streams = step == strip->steps && m->streams;
    for (int k = 0; k < ARRAYS; k++)
        for (int dy = -REACH; dy < count + REACH; dy++)
            rows.of[k][REACH + dy] = row_beside(strip, k, step - 1, y, dy);
    for (int i = 0; i < count * STATES; i++)
        out[i] = kept_row(strip, i % STATES, step, y + i / STATES);
    (contracts ? step_contracted : step_exact)(&rows, &m->set, begin, end, out, count);
    for (int i = 0; i < count * STATES; i++)
        pad(m, i % STATES, out[i], begin, end);
}

static bool any_wraps(void)
{
    bool wraps = false;
    for (int k = 0; k < STATES; k++)
        wraps = wraps || arrays[k].outside == WRAP;
    return wraps;
}

/* All steps of a tile's rows from `first` up to `end`. */
static void compute_tile(const struct strip *strip, int first, int end)
{
    const int height = strip->m->height, halo = (strip->steps - 1) * REACH;
    const bool wraps = any_wraps();
    const int together = strip->steps > 1 ? TOGETHER : 1; /* a single step waits for memory */
    for (int row = first - halo; row < end + halo; row += together) {
        for (int step = 1; step <= strip->steps; step++) {
            const int begin = row - (step - 1) * REACH, more = (strip->steps - step) * REACH;
            const int low = wraps || first > more ? first - more : 0,
                      high = wraps || end + more < height ? end + more : height;
            int y = begin > low ? begin : low, count = together;
            for (; y < begin + together && y < high; y += count) {
                if (y + count > begin + together || y + count > high ||
                    wrapped(y, height) + count > height)
                    count = 1;
                compute_rows(strip, step, y, count);
            }
        }
    }
}

/* Denormal numbers are zero, as in OpenGL. */
static void flush_denormals(void)
{
#if defined(__SSE__)
    _mm_setcsr(_mm_getcsr() | 0x8040);
#elif defined(__aarch64__)
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    __asm__ volatile("msr fpcr, %0" : : "r"(control | 1u << 24));
#endif
}

/* Values that went past the caches are there before other threads read them. */
static void end_stream(void)
{
#ifdef __SSE__
    _mm_sfence();
#endif
}

static size_t kept_values(const struct machine *m, int at_once)
{
    return (size_t)(at_once - 1) * STATES * ROWS * m->pitch;
}

/* Steps in one go over the part and `beyond` rows around it. */
static void go(struct machine *m, int steps, int beyond)
{
    const bool wraps = any_wraps();
    const int threads = m->threads, low = m->part.begin - beyond, high = m->part.end + beyond,
              begin = low > 0 || wraps ? low : 0;
    const long rows = (high < m->height || wraps ? high : m->height) - begin;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int thread = 0; thread < threads; thread++) {
        const int first = begin + (int)(rows * thread / threads),
                  end = begin + (int)(rows * (thread + 1) / threads);
        struct strip strip = {m, steps, 0, 0,
                              m->kept + (size_t)thread * kept_values(m, MOST_AT_ONCE)};
        flush_denormals();
        for (; first < end && strip.end < m->width; strip.begin = strip.end) {
            strip.end = m->width - strip.begin > m->tile ? strip.begin + m->tile : m->width;
            compute_tile(&strip, first, end);
        }
        end_stream();
    }
    for (int k = 0; k < STATES; k++) {
        real *other = m->cells[k];
        m->cells[k] = m->target[k];
        m->target[k] = other;
    }
}

/* ---- The machine, for program.c ---- */

static struct machine *create(const struct grid *grid)
{
    struct machine *m = (struct machine *)allocate(1, sizeof *m);
    memset(m, 0, sizeof *m);
    m->width = grid->width;
    m->height = grid->height;
    m->part = grid->part;
    m->threads = THREADS > 0 ? THREADS : omp_get_max_threads();
    yield_cores(m->threads);
    m->tile = any_wraps() ? m->width : TILE; /* a row that wraps ends in its own cells */
    m->pitch = ((size_t)m->width + MARGIN + LINE - 1) / LINE * LINE + MARGIN;
    m->streams =
        TILE % LINE == 0 &&
        (double)(ARRAYS + STATES) * (double)m->pitch * m->part.kept * sizeof(real) >= STREAMED;
    m->set = grid->set;
    const size_t kept = (size_t)m->threads * kept_values(m, MOST_AT_ONCE);
    m->kept = (real *)allocate(kept, sizeof(real));
    memset(m->kept, 0, kept * sizeof(real));
    for (int k = 0; k < ARRAYS; k++) {
        m->cells[k] = (real *)allocate(m->pitch * (size_t)m->part.kept, sizeof(real));
        m->beyond[k] = (real *)allocate(m->pitch, sizeof(real));
        for (size_t i = 0; i < m->pitch; i++)
            m->beyond[k][i] = (real)arrays[k].beyond;
        if (k < STATES)
            m->target[k] = (real *)allocate(m->pitch * (size_t)m->part.kept, sizeof(real));
    }
    return m;
}

static void destroy(struct machine *m)
{
    for (int k = 0; k < ARRAYS; k++) {
        free(m->cells[k]);
        free(m->beyond[k]);
        if (k < STATES)
            free(m->target[k]);
    }
    free(m->kept);
    free(m);
}

/* Default of steps in one go: as many as have their rows in a core's cache. */
static int at_once(const struct machine *m, int asked)
{
#ifdef STEPS
    return asked > 0 ? asked : STEPS;
#else
#ifdef _SC_LEVEL2_CACHE_SIZE
    const long said = sysconf(_SC_LEVEL2_CACHE_SIZE);
#else
    const long said = 0;
#endif
    const size_t cache = said > 0 ? (size_t)said : 1 << 19;
    const size_t columns = (size_t)(m->tile < m->width ? m->tile : m->width);
    int steps = MOST_AT_ONCE;
    while (steps > 1 && (size_t)(steps - 1) * STATES * ROWS * columns * sizeof(real) > cache)
        steps /= 2;
    return asked > 0 ? asked : steps;
#endif
}

/* Each thread writes its own rows first, so that they are near to it. */
static void put(struct machine *m, int array, int first, int count, const real *rows)
{
#pragma omp parallel for num_threads(m->threads) schedule(static)
    for (int i = 0; i < count; i++) {
        real *row = part_row(m, m->cells[array], first + i);
        memcpy(row, rows + (size_t)i * (size_t)m->width, (size_t)m->width * sizeof(real));
        pad(m, array, row, 0, m->width);
        if (array < STATES)
            memcpy(part_row(m, m->target[array], first + i), row, (size_t)m->width * sizeof(real));
    }
}

static void get(struct machine *m, int state, int first, int count, real *rows)
{
    for (int i = 0; i < count; i++)
        memcpy(rows + (size_t)i * (size_t)m->width, part_row(m, m->cells[state], first + i),
               (size_t)m->width * sizeof(real));
}

static const char *name(struct machine *m)
{
    snprintf(m->name, sizeof m->name, "%d thread%s%s", m->threads, m->threads > 1 ? "s" : "",
             contracts ? ", multiply and add fused: other bits" : "");
    return m->name;
}

/* Rows are cut into as many parts as there are threads. */
static void sides(int *across, int *up)
{
    *across = TILE;
    *up = 1;
}

#ifdef CONTRACTS
static bool set_contract(const char *key, size_t length, const char *value)
{
    if (length != 8 || strncmp(key, "contract", length) != 0)
        return false;
    contracts = strcmp(value, "yes") == 0;
    if (!contracts && strcmp(value, "no") != 0)
        fail("contract is yes or no, not '%s'", value);
    return true;
}
#else
#define set_contract NULL /* no setting */
#endif

const struct engine ENGINE = {create, destroy, at_once,      put,  get,  NULL, go,
                              NULL,   name,    set_contract, NULL, NULL, NULL, sides};

#endif

/* ---- The kernel ---- */

#include "glsl.h"

/* A cell: its place in the rows. Every function of the kernel is called with it. */
struct cell {
    const struct rows *rows;
    const struct numbers *set;
    int row;
    long x;
    const real *aside; /* neighbours across, or NULL: they are in the rows */
    int lane;          /* the cell's place in its line of the cache */
    real out[STATES];
};

/* Rows in which cells of an array look to their left or right: bit REACH + dy. */
static const unsigned across[ARRAYS] = {
    /*@ across */
    0x2,
    /*@ end */
};

/* Place of a line's neighbours at distance dx, not 0, among those of all rows. */
static inline int place_aside(int array, int row, int dx)
{
    return ((array * NEEDED + row) * 2 * REACH + REACH + dx - (dx > 0)) * LINE;
}

/* Fused, the shifts of 25 weights need more registers than there are, and are slower than loads. */
#if defined(__AVX512F__) && !defined(__clang__) && !defined(CONTRACTED)
/* True where neighbours across are shifted in registers. Where cells look across in one row alone,
 * loads are as fast, and faster where memory is what a step waits for. */
static inline bool shifts(int array)
{
    return (int)REACH <= (int)LINE && (across[array] & (across[array] - 1)) != 0;
}

typedef real lanes __attribute__((vector_size(64), aligned(sizeof(real)), may_alias));
typedef __typeof__(*(lanes *)NULL == *(lanes *)NULL) places;

/* Stores the neighbours across of the line at `from`. A load that begins within a line needs two,
 * so only whole lines are loaded. */
static inline __attribute__((always_inline)) void shift_row(real *to, const real *from)
{
    const lanes before = *(const lanes *)(from - LINE), line = *(const lanes *)from,
                after = *(const lanes *)(from + LINE);
    places first;
    for (int i = 0; i < LINE; i++)
        first[i] = i;
#pragma GCC unroll 128
    for (int d = 1; d <= REACH; d++) {
        *(lanes *)(to + (REACH - d) * LINE) =
            __builtin_shuffle(before, line, first + ((int)LINE - d));
        *(lanes *)(to + (REACH + d - 1) * LINE) = __builtin_shuffle(line, after, first + d);
    }
}

/* Stores the neighbours across of a line, in rows where cells of `count` rows look for them. */
static inline __attribute__((always_inline)) void shift_rows(const struct rows *rows, long x,
                                                             real *aside, const int count)
{
    const int needed = 2 * REACH + count;
#pragma GCC unroll 128
    for (int i = 0; i < ARRAYS * needed; i++) {
        const int k = i / needed, row = i % needed;
        unsigned looks = 0;
        for (int above = 0; above < count && above <= row && shifts(k); above++)
            looks |= across[k] >> (row - above) & 1;
        if (looks != 0)
            shift_row(aside + place_aside(k, row, -REACH), rows->of[k][row] + x);
    }
}
#else
static inline bool shifts(int array)
{
    return across[array] == ~0u; /* never */
}

static inline void shift_rows(const struct rows *rows, long x, real *aside, int count)
{
    (void)rows, (void)x, (void)aside, (void)count;
}
#endif

/* The value of an array beside the cell. Offsets are whole numbers. */
static inline real at_of(const struct cell *at, int array, float dx, float dy)
{
    const int row = REACH + at->row + (int)dy, aside = (int)dx;
    return at->aside != NULL && shifts(array) && aside != 0
               ? at->aside[place_aside(array, row, aside) + at->lane]
               : at->rows->of[array][row][at->x + aside];
}

/*@ names */
#define x_at(dx, dy) at_of(at, 0, dx, dy)
/*@ end */

/*@ body */
static inline float kernel(struct cell *at, vec2 here)
{
    (void)here;
    float old = x_at(0.0f, 0.0f);
    float around = x_at(-1.0f, 0.0f) + x_at(1.0f, 0.0f) + x_at(0.0f, -1.0f) + x_at(0.0f, 1.0f);
    return old + at->set->rate * (around - 4.0f * old);
}
/*@ end */

/* Cell x of `count` rows, a number that the compiler knows: it loads cells between rows once. The
 * values go to place `at` of each row of `to`. */
static inline __attribute__((always_inline)) void
step_cells(const struct rows *rows, const struct numbers *set, long x, const real *aside, int lane,
           real *to[TOGETHER][STATES], long at, const int count)
{
    real made[TOGETHER][STATES];
    UNROLLED
    for (int row = 0; row < count; row++) {
        struct cell cell = {rows, set, row, x, aside, lane, {0}};
        const vec2 here = {(single)(int)x, (single)(rows->y + row)};
        /*@ result */
        cell.out[0] = kernel(&cell, here);
        /*@ end */
        for (int k = 0; k < STATES; k++)
            made[row][k] = cell.out[k];
    }
    UNROLLED
    for (int row = 0; row < count; row++)
        for (int k = 0; k < STATES; k++)
            to[row][k][at] = made[row][k];
}

/* Stores a line of the cache without reading what was there. */
static inline void stream(real *to, const real *from)
{
#ifdef __SSE__
    for (int i = 0; i < LINE * (int)sizeof(real) / 16; i++)
        _mm_stream_ps((float *)to + 4 * i, _mm_load_ps((const float *)from + 4 * i));
#else
    memcpy(to, from, LINE * sizeof(real));
#endif
}

/* Columns line by line: a loop of few rounds is all vectors, which find their cells by distances
 * from one place. A longer one gives each neighbour a pointer, more than there are registers. */
static inline __attribute__((always_inline)) void step_some(const struct rows *rows,
                                                            const struct numbers *set, int begin,
                                                            int end, real *const *out,
                                                            const int count, const bool streams)
{
    const struct rows own = *rows; /* pointers that no store can change */
    const struct numbers numbers = *set;
    real line[TOGETHER][STATES][LINE] __attribute__((aligned(64)));
    real aside[ARRAYS * NEEDED * 2 * REACH * LINE] __attribute__((aligned(64)));
    real *to[TOGETHER][STATES], *near[TOGETHER][STATES];
    long x = begin;
    UNROLLED
    for (int row = 0; row < count; row++)
        for (int k = 0; k < STATES; k++) {
            to[row][k] = out[row * STATES + k];
            near[row][k] = line[row][k];
        }
    for (; x + LINE <= end; x += LINE) {
        shift_rows(&own, x, aside, count);
        INDEPENDENT
        for (int i = 0; i < LINE; i++)
            step_cells(&own, &numbers, x + i, aside, i, streams ? near : to, streams ? i : x + i,
                       count);
        for (int row = 0; row < count && streams; row++)
            for (int k = 0; k < STATES; k++)
                stream(to[row][k] + x, line[row][k]);
    }
    INDEPENDENT
    for (long rest = x; rest < end; rest++)
        step_cells(&own, &numbers, rest, NULL, 0, to, rest, count);
}

void STEP_ROWS(const struct rows *rows, const struct numbers *set, int begin, int end,
               real *const *out, int count)
{
    if (count > 1 && rows->streams)
        step_some(rows, set, begin, end, out, TOGETHER, true);
    else if (count > 1)
        step_some(rows, set, begin, end, out, TOGETHER, false);
    else
        step_some(rows, set, begin, end, out, 1, false);
}
