/*@ origin */
/* heat.frag in its values: those that are made, and files of numpy's. */
/*@ end */
#ifndef VALUES_H
#define VALUES_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Rounds as the array does; random values of an array that is only read are floats. No random
 * value below 1 becomes 1. */
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

/* ---- Files of NumPy's, row by row from the bottom ---- */

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

/* A file of NumPy's: letters of its elements' order and kind, their bytes, and its axes. */
struct numpy_file {
    FILE *file;
    char order, kind;
    int bytes, width, height;
    bool by_columns; /* Fortran's order */
};

/* The value of a key in a file's head. */
static const char *value_in(const char *path, const char *head, const char *key)
{
    const char *at = strstr(head, key);
    at = at != NULL ? strchr(at, ':') : NULL;
    if (at == NULL)
        fail("%s has no '%s' in its head; write it by numpy.save", path, key);
    return at + 1 + strspn(at + 1, " ");
}

/* Each advice keeps all digits. */
static void refuse_type(const char *path, const char *type, int length)
{
    static const char *const others[][3] = {
        {"c", "complex numbers", "save a.real and a.imag apart"},
        {"f", "floats of more than 8 bytes",
         "save h = a.astype('<f8'), and (a - h).astype('<f8') apart"},
        {"O", "Python's objects", "save numpy.array(a.tolist()), which has a type of numbers"},
        {"V", "raw bytes", "save a.view(T), T the type that they have"},
        {"Mm", "times", "save a.astype('<i8')"},
        {"SU", "text", "save a.astype('<f8')"}};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (length > 1 && strchr(others[k][0], type[1]) != NULL)
            fail("%s: elements are '%.*s', %s (%s)", path, length, type, others[k][1],
                 others[k][2]);
    fail("%s: elements are '%.*s', and b1, i1 to i8, u1 to u8, f2, f4 and f8 are read (write it by "
         "numpy.save)",
         path, length, type);
}

static void read_type(const char *path, const char *text, struct numpy_file *in)
{
    static const char kinds[] = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 ";
    if (*text == '[')
        fail("%s: an array with fields (save one of them: numpy.save(file, a['name']))", path);
    const char type[] = {*text != '\0' ? text[1] : '\0', '\0'};
    const int length = *text != '\0' ? (int)strcspn(text + 1, "'\"") : 0;
    const char kind[] = {length == 3 ? text[2] : ' ', length == 3 ? text[3] : ' ', ' ', '\0'};
    if (length != 3 || strchr("<>|", *type) == NULL || strstr(kinds, kind) == NULL ||
        (*type == '|' && kind[1] != '1'))
        refuse_type(path, text + 1, length);
    in->order = *type;
    in->kind = kind[0];
    in->bytes = kind[1] - '0';
}

/* The axes (width,), (height, width) or (height, width, 1). */
static void read_shape(const char *path, const char *text, struct numpy_file *in)
{
    int axis[3] = {1, 1, 1}, axes = 0;
    if (*text != '(')
        fail("%s has a 'shape' that is no shape; write it by numpy.save", path);
    while (*++text != ')') {
        char *end;
        const long length = strtol(text, &end, 10);
        if (end == text || length < 0 || length > INT32_MAX)
            fail("%s has a 'shape' that is no shape; write it by numpy.save", path);
        if (length == 0)
            fail("%s has an axis of length 0: no cell", path);
        if (axes == 3 || (axes == 2 && length != 1))
            fail("%s has more axes than rows and columns (save a part, such as a[0])", path);
        axis[axes++] = (int)length;
        end += strspn(end, "L ");
        text = *end == ',' ? end : end - 1;
        if (*end != ',' && *end != ')')
            fail("%s has a 'shape' that is no shape; write it by numpy.save", path);
        if (*end == ',' && end[1 + strspn(end + 1, " ")] == ')')
            text = end + strspn(end + 1, " ");
    }
    if (axes == 0)
        fail("%s holds a single number (save numpy.atleast_1d(a))", path);
    in->width = axes > 1 ? axis[1] : axis[0];
    in->height = axes > 1 ? axis[0] : 1;
}

/* Opens a file and reads its head, of formats 1.0 to 3.0. */
static struct numpy_file open_file(const char *path)
{
    enum { MOST = 10000 /* bytes of a head, as NumPy itself has it */ };
    static char head[MOST + 1];
    unsigned char start[12] = {0};
    struct numpy_file in;
    memset(&in, 0, sizeof in);
    in.file = fopen(path, "rb");
    if (in.file == NULL)
        fail("%s cannot be read", path);
    const bool good = fread(start, 1, 8, in.file) == 8 && memcmp(start, "\x93NUMPY", 6) == 0;
    const size_t count = start[6] == 1 ? 2 : 4;
    if (!good)
        fail("%s is no .npy file (write it by numpy.save; of an .npz take one array)", path);
    if (start[6] < 1 || start[6] > 3 || start[7] != 0)
        fail("%s has format %d.%d, and 1.0, 2.0 and 3.0 are read (write it by numpy.save)", path,
             start[6], start[7]);
    const bool has_length = fread(start + 8, 1, count, in.file) == count;
    const size_t length = start[8] + 256u * start[9] + 65536u * (start[10] + 256u * start[11]);
    if (!has_length || length > MOST || fread(head, 1, length, in.file) != length)
        fail("%s ends in its head, or has one above %d bytes (fetch it anew)", path, MOST);
    head[length] = '\0';
    read_type(path, value_in(path, head, "descr"), &in);
    const char *const order = value_in(path, head, "fortran_order");
    in.by_columns = strncmp(order, "True", 4) == 0;
    if (!in.by_columns && strncmp(order, "False", 5) != 0)
        fail("%s: 'fortran_order' is neither True nor False (write it by numpy.save)", path);
    read_shape(path, value_in(path, head, "shape"), &in);
    return in;
}

/* IEEE 754's half: a sign, 5 bits of exponent biased by 15, 10 bits of fraction. */
static double half(unsigned bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double size = exponent == 31 ? (fraction != 0 ? NAN : INFINITY)
                        : exponent > 0 ? ldexp(1024 + fraction, exponent - 25)
                                       : ldexp(fraction, -24);
    return bits >> 15 & 1 ? -size : size;
}

/* Reads an element; false for an integer beyond 2^53, where doubles have gaps. */
static bool decode(const struct numpy_file *in, const unsigned char *bytes, double *value)
{
    uint64_t bits = 0;
    float single;
    for (int i = 0; i < in->bytes; i++)
        bits = bits << 8 | bytes[in->order == '>' ? i : in->bytes - 1 - i];
    const uint32_t low = (uint32_t)bits;
    if (in->kind == 'f') {
        memcpy(&single, &low, sizeof single);
        memcpy(value, &bits, sizeof *value);
        if (in->bytes < 8)
            *value = in->bytes == 2 ? half(low) : (double)single;
        return true;
    }
    const uint64_t sign = (uint64_t)1 << (8 * in->bytes - 1);
    const bool is_negative = in->kind == 'i' && (bits & sign) != 0;
    const uint64_t size = is_negative ? 2 * sign - bits : bits;
    *value = is_negative ? -(double)size : (double)size;
    if (in->kind == 'b')
        *value = bits != 0;
    return in->kind == 'b' || size <= (uint64_t)1 << 53;
}

static void read_file(const char *path, struct grid *grid, int array)
{
    const struct numpy_file in = open_file(path);
    const size_t rows = (size_t)in.height, columns = (size_t)in.width;
    unsigned char bytes[8];
    double value;
    if (in.width != grid->width || in.height != grid->height)
        fail("%s has %d x %d cells, and the grid %d x %d", path, in.width, in.height, grid->width,
             grid->height);
    for (size_t k = 0; k < cells_of(grid); k++) {
        const size_t i = in.by_columns ? k % rows * columns + k / rows : k;
        const int x = (int)(i % columns), y = (int)(i / columns);
        if (fread(bytes, (size_t)in.bytes, 1, in.file) != 1)
            fail("%s ends early", path);
        if (!decode(&in, bytes, &value))
            fail(
                "%s: cell (%d, %d) is an integer near %.17g, and at most 2^53 is exact in a double "
                "(divide by a power of two)",
                path, x, y, value);
        if (!is_held(value) && (IS_WHOLE || isfinite(value)))
            fail("%s: cell (%d, %d) is %g, which no %s holds", path, x, y, value,
                 IS_WHOLE ? "integer of 32 bits" : "float");
        grid->cells[array][i] = narrowed(array, FROM_FILE, value);
    }
    if (fgetc(in.file) != EOF)
        fail("%s has more than its cells", path);
    fclose(in.file);
}

#endif
