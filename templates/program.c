/*@ origin */
/* heat.frag as a program: arrays, options, and the check against the reference. */
/*@ end */
#define _DEFAULT_SOURCE
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "sizes.h"
#include "stencil.h"
#include "values.h"

const struct array arrays[ARRAYS] = {
    /*@ arrays */
    {"x", IMPULSE, CLAMP, 0.0},
    /*@ end */
};

static const struct {
    const char *name;
    size_t at;
    int values;
    char type; /* f, d or i: float, double or int */
} settings[] = {
    /*@ settings */
    {"rate", offsetof(struct numbers, rate), 1, 'f'},
    /*@ end */
    {NULL, 0, 0, 'f'},
};

static const struct numbers usual = {
    {0.0, 0.0},
    /*@ numbers */
    0.2,
    /*@ end */
};

bool leads = true;
int updates = 1;

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!leads)
        sleep(1); /* if all fail, the process that leads says so and ends the others */
    fputs(NAME ": ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

/* ---- Grids ---- */

/* Arrays of many pages ask for large ones, which are found faster. */
void *allocate(size_t count, size_t bytes)
{
    enum { LINE = 64, LARGE = 1 << 21 };
    void *memory = NULL;
    const bool is_large = count > 4 * (size_t)LARGE / bytes;
    if (count > (SIZE_MAX - LINE) / bytes ||
        posix_memalign(&memory, is_large ? LARGE : LINE, count * bytes + LINE) != 0)
        fail("no memory for %zu values", count);
#ifdef MADV_HUGEPAGE
    if (is_large)
        (void)madvise(memory, count * bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

/* Arrays without values, of one part, for the process that leads. */
void make_grid(int width, int height, const struct numbers *set, struct grid *grid)
{
    memset(grid, 0, sizeof *grid);
    grid->width = width;
    grid->height = height;
    grid->part.end = grid->part.kept = height;
    grid->set = *set;
    grid->set.size.x = (float)width;
    grid->set.size.y = (float)height;
    for (int k = 0; k < ARRAYS; k++)
        grid->cells[k] = (real *)allocate(leads ? cells_of(grid) : 0, sizeof(real));
}

void free_grid(struct grid *grid)
{
    for (int k = 0; k < ARRAYS; k++)
        free(grid->cells[k]);
}

/* ---- Steps ---- */

/* The time after all steps so far. */
static double seconds(struct machine *machine)
{
    struct timespec now;
    if (engine.finish != NULL)
        engine.finish(machine);
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Takes all steps, `at_once` in one go as far as they are left. */
static void take(struct machine *machine, int steps, int at_once)
{
    for (; steps > 0; steps -= at_once) {
        while (at_once > steps)
            at_once /= 2;
        engine.go(machine, at_once, 0);
    }
}

double advance(struct machine *machine, int steps, int at_once, const struct grid *from,
               struct grid *to)
{
    for (int k = 0; k < ARRAYS; k++)
        engine.put(machine, k, 0, from->height, from->cells[k]);
    for (int k = at_once, left = steps; k > 0; left %= k, k /= 2)
        if (k <= left && engine.load != NULL)
            engine.load(machine, k);
    const double start = seconds(machine);
    take(machine, steps, at_once);
    const double took = seconds(machine) - start;
    for (int k = 0; k < STATES; k++)
        engine.get(machine, k, 0, to->height, to->cells[k]);
    return took;
}

/* ---- The check ---- */

double *copy_cells(const struct grid *grid, int array)
{
    double *values = (double *)allocate(cells_of(grid), sizeof *values);
    for (size_t i = 0; i < cells_of(grid); i++)
        values[i] = (double)grid->cells[array][i];
    return values;
}

#if IS_POISSON
static double polynomial(int k, double x, double y)
{
    const double all[] = {1.0, x, y, x * y, x * x - y * y, -0.25 * (x * x + y * y)};
    return all[k];
}

/* A step that solves -laplace(u) = f leaves such polynomials as they are: all but the last without
 * f, the last with f = 1. So the weight of f is found a second way. */
static int check_equation(const struct numbers *set, int *cases)
{
    enum { N = 2 * REACH + 1, CELLS = N * N, MIDDLE = CELLS / 2, LAST = 5 };
    double u[CELLS], source[CELLS], next[CELLS];
    const double *const from[ARRAYS] = {u, source};
    double *const to[STATES] = {next};
    int failed = 0;
    for (int k = 0; k <= LAST; k++) {
        for (int i = 0; i < CELLS; i++) {
            u[i] = polynomial(k, i % N - REACH, i / N - REACH);
            source[i] = k == LAST;
        }
        reference_step(N, N, set, from, to);
        failed += !(fabs(next[MIDDLE] - u[MIDDLE]) <= 1e-5 * REACH * REACH);
    }
    if (failed > 0)
        printf(NAME ": a step does not solve -laplace(x) = f: the weights do not fit, or that of "
                    "f\n");
    ++*cases;
    return failed > 0;
}
#endif

/* All awkward sizes; the exit code. */
static int check(const struct numbers *set)
{
    int cases = 0, failed = 0, across, up, width, height;
    engine.sides(&across, &up);
    for (int k = 0; awkward_size(k, REACH, across, up, &width, &height); k++)
        failed += check_size(width, height, set, &cases);
#if IS_POISSON
    failed += leads ? check_equation(set, &cases) : 0;
#endif
    if (leads && cases > 0)
        printf(NAME ": %d cases, %d failed\n", cases, failed);
    return failed > 0;
}

/* ---- The command line ---- */

struct options {
    int width, height, steps, at_once;
    const char *file[ARRAYS], *output;
    struct numbers set;
    bool time, check;
};

static const char help[] =
    "Usage: " NAME " [OPTION...]\n"
    "  --size WxH          cells of the grid\n"
    "  --input NAME=FILE   an array from a .npy file, whose size the grid has; or\n"
    "                      zeros, ones, random, gradient or impulse\n"
    /*@ help */
    "  --steps N           steps\n"
    "  --set NAME=VALUE    a number of the kernel, or steps_at_once: 1, 2, 4 ...\n"
    /*@ end */
    "  -o FILE             writes the first state, a .npy file\n"
    "  --time              prints how long the steps took\n"
    "  --check             compares with the reference at awkward sizes\n";

static int whole(const char *option, const char *text, const char *end)
{
    char *at;
    const long value = strtol(text, &at, 10);
    if (at == text || at != end || value < 1 || value > 1 << 24)
        fail("%s takes whole numbers from 1 to 16777216, not '%s'", option, text);
    return (int)value;
}

static void take_size(const char *text, struct options *o)
{
    const char *end = text + strlen(text), *x = strchr(text, 'x');
    o->width = whole("--size", text, x != NULL ? x : end);
    o->height = x != NULL ? whole("--size", x + 1, end) : o->width;
}

/* The value in NAME=VALUE; NULL: the text has another name. */
static const char *value_of(const char *name, const char *text)
{
    const size_t length = strlen(name);
    return strncmp(name, text, length) == 0 && text[length] == '=' ? text + length + 1 : NULL;
}

static void take_input(const char *text, struct options *o)
{
    int k = 0;
    while (k < ARRAYS && value_of(arrays[k].name, text) == NULL)
        k++;
    if (k == ARRAYS)
        fail("--input takes NAME=FILE with an array of the kernel, not '%s'", text);
    o->file[k] = value_of(arrays[k].name, text);
}

/* Sets value i of setting k; false for a value that its type does not have. */
static bool set_value(struct numbers *set, int k, int i, double value)
{
    void *to = (char *)set + settings[k].at;
    const char type = settings[k].type;
    const bool good = type == 'i' ? value == rint(value) && value >= -0x1p31 && value < 0x1p31
                                  : isfinite(type == 'd' ? value : (double)(float)value);
    if (good && type == 'i')
        ((int *)to)[i] = (int)value;
    else if (good && type == 'd')
        ((double *)to)[i] = value;
    else if (good)
        ((float *)to)[i] = (float)value;
    return good;
}

static void take_number(const char *text, struct options *o)
{
    const char *sign = strchr(text, '='), *value = value_of("steps_at_once", text);
    int k = 0;
    if (value != NULL) {
        o->at_once = whole("--set steps_at_once", value, value + strlen(value));
        if (o->at_once > MOST_AT_ONCE || (o->at_once & (o->at_once - 1)) != 0)
            fail("steps_at_once is a power of two up to %d, not %d", MOST_AT_ONCE, o->at_once);
        return;
    }
    while (settings[k].name != NULL && value_of(settings[k].name, text) == NULL)
        k++;
    if (settings[k].name == NULL && sign != NULL && engine.set != NULL &&
        engine.set(text, (size_t)(sign - text), sign + 1))
        return;
    if (settings[k].name == NULL)
        fail("--set takes NAME=VALUE with a number of the kernel, not '%s'", text);
    const char *at = sign + 1;
    for (int i = 0; i < settings[k].values; i++) {
        char *end;
        const double number = strtod(at, &end);
        if (end == at || *end != (i + 1 < settings[k].values ? ',' : '\0') ||
            !set_value(&o->set, k, i, number))
            fail("%s takes %d %s number%s, not '%s'", settings[k].name, settings[k].values,
                 settings[k].type == 'i' ? "whole" : "finite",
                 settings[k].values > 1 ? "s with commas between them" : "", sign + 1);
        at = end + 1;
    }
}

static void take_options(int argc, char **argv, struct options *o)
{
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        i += strcmp(name, "--time") != 0 && strcmp(name, "--check") != 0;
        if (strcmp(name, "--help") == 0) {
            fputs(leads ? help : "", stdout);
            exit(0);
        }
        if (i == argc)
            fail("%s is no option, or takes a value; see --help", name);
        else if (strcmp(name, "--time") == 0)
            o->time = true;
        else if (strcmp(name, "--check") == 0)
            o->check = true;
        else if (strcmp(name, "--size") == 0)
            take_size(value, o);
        else if (strcmp(name, "--steps") == 0)
            o->steps = whole("--steps", value, value + strlen(value));
        else if (strcmp(name, "--input") == 0)
            take_input(value, o);
        else if (strcmp(name, "--set") == 0)
            take_number(value, o);
        else if (strcmp(name, "-o") == 0)
            o->output = value;
        else
            fail("there is no option %s; see --help", name);
    }
}

/* How an array of --input is made; FROM_FILE: it is in a file of this name. */
static enum origin origin_of(const char *text)
{
    static const char *const names[] = {"zeros", "ones", "random", "gradient", "impulse"};
    for (int k = 0; k < 5; k++)
        if (strcmp(text, names[k]) == 0)
            return (enum origin)(ZEROS + k);
    return FROM_FILE;
}

/* The size of the first file, unless --size gives another. */
static void find_size(struct options *o)
{
    for (int k = 0; k < ARRAYS && o->width == 0; k++) {
        if (o->file[k] == NULL || origin_of(o->file[k]) != FROM_FILE)
            continue;
        const struct numpy_file first = open_file(o->file[k]);
        o->width = first.width;
        o->height = first.height;
        fclose(first.file);
    }
    o->width = o->width > 0 ? o->width : WIDTH;
    o->height = o->height > 0 ? o->height : HEIGHT;
}

int main(int argc, char **argv)
{
    struct options o;
    struct grid grid;
    memset(&o, 0, sizeof o);
    o.set = usual;
    o.steps = STEPS;
    take_options(argc, argv, &o);
    if (o.check)
        return check(&o.set);
    find_size(&o);
    make_grid(o.width, o.height, &o.set, &grid);
    for (int k = 0; k < ARRAYS && leads; k++) {
        const enum origin made = o.file[k] != NULL ? origin_of(o.file[k]) : arrays[k].made;
        if (made != FROM_FILE)
            fill(&grid, k, made, SEED + (uint64_t)k);
        else if (o.file[k] != NULL)
            read_file(o.file[k], &grid, k);
        else
            fail("the kernel reads %s: give it by --input %s=FILE", arrays[k].name, arrays[k].name);
    }
    struct machine *machine = engine.create(&grid);
    const int at_once = engine.at_once(machine, o.at_once);
    if (o.at_once > at_once)
        fail("%d steps at once do not fit; take %d", o.at_once, at_once);
    const double took = advance(machine, o.steps, at_once, &grid, &grid);
    if (o.time && leads)
        fprintf(stderr,
                NAME ": %d steps of %d x %d cells in %.4g s, %d at once, by %s: %.4g GLUP/s\n",
                o.steps, o.width, o.height, took, at_once, engine.name(machine),
                1e-9 * updates * o.steps * o.width * o.height / took);
    if (o.output != NULL && leads)
        write_file(o.output, &grid);
    engine.destroy(machine);
    free_grid(&grid);
    return 0;
}
