/*@ origin */
/* heat.frag in its values: those that are made, and files of numpy's. */
/*@ end */
#ifndef VALUES_H
#define VALUES_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "stencil.h"

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

/* The array that is an expression of a cell's numbers x and y, from 1 on. */
static double computed(int array, double x, double y)
{
    (void)array, (void)x, (void)y;
    /*@ expressions */
    /*@ end */
    return 0.0;
}

/* Sebastiano Vigna's splitmix64: from 0 to 1. */
static double random_value(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double made_value(enum origin made, const struct grid *grid, int x, int y, uint64_t *state)
{
    double value = 0.0;
    if (made == ONES)
        value = 1.0;
    else if (made == GRADIENT && grid->width > 1)
        value = (double)x / (grid->width - 1);
    else if (made == IMPULSE)
        value = x == grid->width / 2 && y == grid->height / 2;
    else if (made == RANDOM)
        value = IS_WHOLE ? floor(10.0 * random_value(state)) : random_value(state);
    return value;
}

/* Rounds as the array does; random values of one that is only read are floats. No random value
 * below 1 becomes 1. */
static real narrowed(int array, enum origin made, double value)
{
    if (IS_WHOLE || (sizeof(real) == sizeof(double) && (array < STATES || made != RANDOM)))
        return (real)value;
    const bool rises = made == RANDOM && (float)value >= 1.0f;
    return (real)(rises ? 1.0f - 0x1p-24f : (float)value);
}

/* True for a finite value that a cell's type has. */
static bool is_held(double value)
{
    return IS_WHOLE ? value == rint(value) && value >= -0x1p31 && value < 0x1p31
                    : isfinite(value) && (sizeof(real) == sizeof(double) || isfinite((float)value));
}

void fill(struct grid *grid, int array, enum origin made, uint64_t seed)
{
    for (size_t i = 0; i < cells_of(grid); i++) {
        const int x = (int)(i % (size_t)grid->width), y = (int)(i / (size_t)grid->width);
        const double value = made == EXPRESSION ? computed(array, x + 1.0, y + 1.0)
                                                : made_value(made, grid, x, y, &seed);
        if (!is_held(IS_WHOLE ? rint(value) : value))
            fail("%s is %g at x = %d, y = %d, which no cell holds", arrays[array].name, value,
                 x + 1, y + 1);
        grid->cells[array][i] = narrowed(array, made, IS_WHOLE ? rint(value) : value);
    }
}

/* ---- Files of numpy's, format 1.0: floats, doubles or integers of 32 bits, row by row from the
 * bottom ---- */

#define DESCR (IS_WHOLE ? "<i4" : sizeof(real) == sizeof(float) ? "<f4" : "<f8")

static void write_file(const char *path, const struct grid *grid)
{
    char text[119];
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        fail("%s cannot be written", path);
    const int used =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }",
                 DESCR, grid->height, grid->width);
    const bool good = fwrite("\x93NUMPY\1\0\x76\0", 1, 10, file) == 10 &&
                      fprintf(file, "%s%*s\n", text, 117 - used, "") == 118 &&
                      fwrite(grid->cells[0], sizeof(real), cells_of(grid), file) == cells_of(grid);
    if (fclose(file) != 0 || !good)
        fail("%s cannot be written", path);
}

/* Opens a file and reads its head. */
static FILE *open_file(const char *path, char type[4], int *width, int *height)
{
    unsigned char start[10] = {0};
    char text[1024] = "";
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail("%s cannot be read", path);
    const bool good = fread(start, 1, 10, file) == 10 && memcmp(start, "\x93NUMPY\1", 7) == 0;
    const size_t length = start[8] + 256u * start[9];
    if (!good || length >= sizeof text || fread(text, 1, length, file) != length)
        fail("%s is no .npy file of format 1.0", path);
    int end = 0;
    if (sscanf(text, "{'descr': '%3[^']', 'fortran_order': False, 'shape': (%d, %d)%n", type,
               height, width, &end) != 3 ||
        end == 0 || *height < 1 || *width < 1)
        fail("%s is no array of rows and columns as NumPy writes them", path);
    return file;
}

static void read_file(const char *path, struct grid *grid, int array)
{
    char type[4] = "";
    int width, height;
    union {
        float single;
        double twice;
        int32_t whole;
    } cell;
    FILE *file = open_file(path, type, &width, &height);
    const bool singles = strcmp(type, "<f4") == 0, wholes = strcmp(type, "<i4") == 0;
    if (!singles && !wholes && strcmp(type, "<f8") != 0)
        fail("%s holds values of the type %s; take <f4, <f8 or <i4", path, type);
    if (width != grid->width || height != grid->height)
        fail("%s has %d x %d cells, and the grid %d x %d", path, width, height, grid->width,
             grid->height);
    for (size_t i = 0; i < cells_of(grid); i++) {
        if (fread(&cell, singles || wholes ? 4 : 8, 1, file) != 1)
            fail("%s ends early", path);
        const double value = singles  ? (double)cell.single
                             : wholes ? (double)cell.whole
                                      : cell.twice;
        if (!is_held(value) && (IS_WHOLE || isfinite(value)))
            fail("%s: cell (%d, %d) is %g, which no %s holds", path, (int)(i % (size_t)width),
                 (int)(i / (size_t)width), value, IS_WHOLE ? "integer of 32 bits" : "float");
        grid->cells[array][i] = narrowed(array, FROM_FILE, value);
    }
    if (fgetc(file) != EOF)
        fail("%s has more than its cells", path);
    fclose(file);
}

#endif
