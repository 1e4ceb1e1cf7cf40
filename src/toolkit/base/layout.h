/* SPDX-License-Identifier: MIT */
/* Stages 2 and 8: how the texels of an array store the cells of matrices, without any OpenGL.
 *
 * An array is a texture on OpenGL and a block of memory on a CPU or CUDA. Its storage, from the
 * inside out:
 *
 *     domain    the cells of one matrix, or of several equal-sized ones (the array's slots)
 *     padding   texels a variant may read but never writes: 0, or 1 for a diagonal, because they
 *               take the place of "vector values off both ends are zero"
 *     guard     texels nobody may read or write; they hold NaN, so that a stray read poisons the
 *               answer and a stray write is found afterwards
 *
 * The padding inside the last texel of a row (RGBA, width no multiple of four) and inside
 * a row's square belongs to it too. */
#ifndef QP_BASE_LAYOUT_H
#define QP_BASE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "toolkit/base/values.h"

enum qp_format {
    QP_LUMINANCE32F,
    QP_R32F,
    QP_RGBA32F,
    QP_LUMINANCE16F, /* 16 bits on the device alone; drivers convert the host's floats both ways */
    QP_RGBA16F,      /* likewise */
    QP_R64F,         /* doubles, on the host as on the device, which is CUDA or a CPU */
    QP_RG32UI_WORDS, /* doubles for OpenGL: a texel is the two words of one */
    QP_RGBA32UI_WORDS, /* doubles for OpenGL: a texel is the words of two */
    QP_RG32F_PAIRS,    /* the host's doubles as pairs of floats (pairs.h), one pair a texel */
    QP_RGBA32F_PAIRS,  /* the same, two pairs a texel */
    QP_RG32F,          /* from here on for arrays of a program's own (array.h) alone */
    QP_R16F,
    QP_RG16F,
    QP_R32I,
    QP_RG32I,
    QP_RGBA32I,
    QP_R32UI,
    QP_RG32UI,
    QP_RGBA32UI,
    QP_FORMATS
};

/* Number kind of a format's values in the host's memory. */
enum qp_number_kind { QP_FRACTIONS, QP_INTEGERS, QP_UNSIGNED };

/* Values in one texel: 1, 2 or 4. */
int qp_format_channels(enum qp_format format);
const char *qp_format_name(enum qp_format format);

/* Bytes of one value on the device: 2, 4 or 8. */
int qp_format_bytes(enum qp_format format);

/* True for values that are pairs of floats on the device, and for those that are two words. */
bool qp_format_has_pairs(enum qp_format format);
bool qp_format_has_words(enum qp_format format);

/* Fractions are floats or doubles; the others int32_t and uint32_t. */
enum qp_number_kind qp_format_kind(enum qp_format format);

/* Precision of the host's texels: doubles where a value has 8 bytes, else floats, or integers as
 * wide. */
enum qp_precision qp_format_precision(enum qp_format format);

/* The format with the same channels in 32 bits at least. */
enum qp_format qp_format_widened(enum qp_format format);

/* Interleaving of several matrices (slots) in one array. */
enum qp_slots {
    QP_SINGLE,      /* a single matrix */
    QP_IN_CHANNELS, /* matrix m in channel m of every texel (paper 1: bands, or systems, in RGBA) */
    QP_ABREAST,     /* cell x of matrix m in texel slots*x + m (paper 3, figure 4) */
    QP_IN_STAMPS,   /* four texels of each matrix in turn: x of m in 4*(slots*(x/4) + m) + x%4 */
};

enum { QP_STAMP = 4 /* texels of a stamp */ };

/* Arrangement of a batch in textures: many small systems of equal size, each of them rows times
 * columns values, row by row; on the host one system follows the other. Systems are arranged in
 * rows of `across`, system s at (x, y) = (s % across, s / across), and go on in the next tile where
 * one is full. Unlike cells of a grid, neighbouring systems never read each other. */
enum qp_standing {
    QP_NO_BATCH,
    QP_AS_BLOCKS, /* each a rectangle: value (i, j) at (columns x + j, rows y + i), one a texel */
    /* Four systems in the channels of (x, y), each value a plane of all of them: value (i, j) at
     * (across j + x, up i + y), so that all columns from j on are a rectangle. */
    QP_AS_PLANES,
    /* Four values a texel, texels of four systems in turn, for a fragment that reads a whole
     * system: texel t of its T texels at (4 (T (x/4) + t) + x%4, y). */
    QP_AS_LISTS,
    QP_AS_SHEETS /* values 4 t to 4 t + 3 at (x, y) of sheet t, for several render targets */
};

/* The sizes of a batch. Every tile (set of textures) holds `up` rows of `across` systems; padding
 * follows the last system. */
struct qp_batch {
    int rows, columns;     /* values of one system */
    int count;             /* number of systems */
    int across, up, tiles; /* systems; in planes fours of systems */
};

/* Layout of an array as a recipe gives it, for all sizes; zero means one luminance value a
 * texel. */
struct qp_shape {
    enum qp_format format;
    enum qp_slots slots;
    int neighbours; /* cells of a row packed in a texel: 4, 2 with `rows`, or 0 and 1 for one */
    int rows;       /* rows of cells packed in a texel: 2, or 0 and 1 for one */
    int sheets;     /* textures that rows are dealt out to: row y is in y % sheets, at y / sheets */
    int pad_x;      /* padding texels left and right */
    int pad_y;      /* padding rows above and below */
    bool flat;      /* row-major memory, one long row with width+1 ghost cells at both ends */
    bool columns;   /* a flat array has column after column, as Fortran */
    /* Each row, or a flat array's first cell, begins at a multiple of this number of texels; 0: not
     * aligned. */
    int align;
    bool odd; /* rows are an odd multiple of `align` apart */
    /* Each row of the matrix a square of texels, the squares side by side (paper 2); texels that a
     * row leaves free of its square, and squares without a row, are padding. */
    bool squares;
    enum qp_standing standing; /* standing of a batch: a value in every channel, and no pads */
};

/* Floats without gaps, and the same with the first at a multiple of a number. */
#define QP_FLAT                         \
    {                                   \
        .format = QP_R32F, .flat = true \
    }
#define QP_FLAT_FROM(multiple)                             \
    {                                                      \
        .format = QP_R32F, .flat = true, .align = multiple \
    }

/* Layout of an array for one size, in texels, computed from a shape. */
struct qp_layout {
    struct qp_shape shape;
    enum qp_precision precision; /* precision of the host's texels */
    int cells_x, cells_y;   /* the matrix as it is packed: width x height, or cells x 1 if flat */
    int slots;              /* matrices in the array */
    int channels;           /* values a texel */
    int neighbours, rows;   /* cells of a texel across and up: 1 x 1, 4 x 1 or 2 x 2 */
    int sheets;             /* textures, one above the other in the storage; 1 for most */
    int domain_x, domain_y; /* texels of one slot's domain, in one sheet */
    int pad_x, pad_y;       /* in texels of one slot */
    int stride; /* texels from one cell (or four) to the next: slots if abreast, else 1 */
    int square; /* texels of a row's square each way, the least that holds the row; 0 for none */
    int across; /* squares beside each other, about as many as above each other; 0 for none */
    /* Column-major arrays: values of a row and of a column of one matrix, several of which may be
     * stored one below the other; column is 0 if row-major. */
    int row, column;
    int origin_x, origin_y;   /* texel of the domain's first cell, slot 0 */
    int storage_x, storage_y; /* texels of the whole array */
    int sheet_y;              /* texels of one sheet of it: storage_y / sheets */
    struct qp_batch batch;    /* sheets are ordered tile by tile */
};

struct qp_layout qp_layout_make(struct qp_shape shape, int width, int height, int slots);

/* Layout of a batch, in one slot. QP_AS_LISTS takes `across` a multiple of four. */
struct qp_layout qp_layout_make_batch(struct qp_shape shape, struct qp_batch batch);

/* Rows of cells that belong together: those of a texel, in all sheets. */
int qp_layout_unit(const struct qp_layout *layout);

/* Texel of a cell of slot 0, in its own sheet, counted from the storage's first. Not for stamps,
 * flat arrays and batches. */
void qp_layout_place(const struct qp_layout *layout, int column, int row, int *x, int *y);

/* Texels that one system takes from left to right and from bottom to top of a sheet. */
void qp_layout_system(struct qp_shape shape, int rows, int columns, int *width, int *height);

/* Values in the whole storage, and their bytes in the host's memory. */
size_t qp_layout_values(const struct qp_layout *layout);
size_t qp_layout_bytes(const struct qp_layout *layout);

/* NaN everywhere: guards stay so, every other texel is packed over. */
void qp_layout_poison(const struct qp_layout *layout, void *texels);

/* A NaN of its own kind, for an output that nobody has computed yet: arithmetic on numbers makes
 * others, though it may carry this one on. It is recognised by its ten highest bits, so that it
 * outlives rounding to float, and a texture of 16-bit floats. */
double qp_unwritten(void);
bool qp_is_unwritten(double value);

/* Values and texels below are of the layout's precision. */

/* Writes one matrix into its slot and `padding` into the padding of that slot. `values` is
 * row-major without gaps; NULL writes cells that are unwritten. */
void qp_layout_pack(const struct qp_layout *layout, int slot, const void *values, float padding,
                    void *texels);

/* Reads one slot back into row-major `values`. */
void qp_layout_unpack(const struct qp_layout *layout, int slot, const void *texels, void *values);

/* True if every guard is still NaN and the padding still `padding`, or anything if that is NaN;
 * else *x, *y is the first broken texel, counted from the domain's first one. Not for arrays whose
 * slots are abreast or in stamps. */
bool qp_layout_intact(const struct qp_layout *layout, const void *texels, float padding, int *x,
                      int *y);

#endif
