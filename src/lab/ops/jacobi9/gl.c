/* SPDX-License-Identifier: MIT */
/* Nine-band Jacobi in fragment shaders: each rung as data. The engine in lab/engines/gl.c runs
 * them all. */
#include <limits.h>

#include "lab/engines/engines.h"
#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/ops/jacobi9/kernels.h"

#define ONE_VALUE(bits)                                         \
    {                                                           \
        .format = QP_LUMINANCE##bits##F, .pad_x = 1, .pad_y = 2 \
    }
#define FOUR_SYSTEMS                                                          \
    {                                                                         \
        .format = QP_RGBA32F, .slots = QP_IN_CHANNELS, .pad_x = 1, .pad_y = 2 \
    }

/* Bands beside the diagonal, from field `first` on, and the right-hand side; + the diagonal; + its
 * inverse. */
#define BANDS(first, side, ...)                                                                   \
    QP_ARRAY("band_ll", first, __VA_ARGS__), QP_ARRAY("band_ld", first + 1, __VA_ARGS__),         \
        QP_ARRAY("band_lu", first + 2, __VA_ARGS__), QP_ARRAY("band_dl", first + 3, __VA_ARGS__), \
        QP_ARRAY("band_du", first + 4, __VA_ARGS__), QP_ARRAY("band_ul", first + 5, __VA_ARGS__), \
        QP_ARRAY("band_ud", first + 6, __VA_ARGS__), QP_ARRAY("band_uu", first + 7, __VA_ARGS__), \
        QP_ARRAY("rhs", side, __VA_ARGS__)
#define ALL_BANDS(...) \
    BANDS(QP_JACOBI9_LL, QP_JACOBI9_B, __VA_ARGS__), QP_ARRAY("band_dd", QP_JACOBI9_DD, __VA_ARGS__)
#define BANDS_AND_INVERSE(...) \
    ALL_BANDS(__VA_ARGS__), QP_ARRAY("inverse_dd", QP_JACOBI9_INVERSE_DD, __VA_ARGS__)

/* Limit of wrapped coordinates in float: row = floor(z / nx) of a cell's number z, then z - nx row.
 * All are whole numbers, exact up to 2^24; the quotient is not. GLSL lets a division be off by e
 * = 2.5 units of the last place, that is by e 2^-23 z / nx at most, and next to whole numbers the
 * smallest error gives the wrong row. (Half a cell added to z keeps clear of them only while e
 * 2^-23 z / nx < 0.5 / nx: up to 2^22 / e cells, 1.7 million.) But while the error is less than one
 * row, which holds for textures of fewer than 2^23 / e rows, 3.3 million, the row is wrong by one
 * at most; z - nx row is then exact, lies outside 0 to nx - 1, and its sign says which way. So the
 * shaders correct it once (`quotient`), and only the exactness of whole numbers sets the limit. */
static const struct qp_jacobi9_variant computed = {.takes_wraps = true, .most_cells = 1 << 24};

/* The left and the right boundary line must be two. */
static const struct qp_jacobi9_variant lines = {.takes_wraps = true, .least_width = 2};

/* Settings that variants of paper 1 share, with equal layouts of their arrays. */
#define PAPER1(bands, limits, ...) \
    .state = __VA_ARGS__, .input = {bands(__VA_ARGS__)}, .own = &limits, .flops = 20

#define WITH_VERTICES(shader, part)                                                   \
    {                                                                                 \
        .vertex = "jacobi9/vertex.vert", .fragment = shader, .cover = QP_COVER_##part \
    }

#define SQUARE                                                                   \
    {                                                                            \
        .format = QP_RGBA32F, .neighbours = 2, .rows = 2, .pad_x = 1, .pad_y = 1 \
    }

#define BANDS_APART(...)        .state = __VA_ARGS__, .input = {ALL_BANDS(__VA_ARGS__)}, .flops = 36
#define LUMINANCE(bits, shader) BANDS_APART(ONE_VALUE(bits)), .draw = {{.fragment = shader}}

#define FOUR_CELLS(bits)                                                    \
    {                                                                       \
        .format = QP_RGBA##bits##F, .neighbours = 4, .pad_x = 1, .pad_y = 1 \
    }
#define RGBA(bits, shader) BANDS_APART(FOUR_CELLS(bits)), .draw = {{.fragment = shader}}

static const struct qp_jacobi9_variant symmetric = {.needs_symmetry = true};

/* Symmetric matrices (paper 3, section 8) need store only half of their bands. The paper's textures
 * end with the grid, so conditionals keep the shader from bands of cells that are not there, at a
 * loss of 10 %. Ours are padded with zeros, and the first variant does without conditionals. */
#define UPPER(name, id) QP_ARRAY(name, id, ONE_VALUE(32))
#define UPPER_BANDS(shader)                                                     \
    .state = ONE_VALUE(32),                                                     \
    .input = {UPPER("band_dd", QP_JACOBI9_DD), UPPER("band_du", QP_JACOBI9_DU), \
              UPPER("band_ul", QP_JACOBI9_UL), UPPER("band_ud", QP_JACOBI9_UD), \
              UPPER("band_uu", QP_JACOBI9_UU), UPPER("rhs", QP_JACOBI9_B)},     \
    .draw = {{.fragment = shader}}, .own = &symmetric, .flops = 36

#define SHARED(entry, who)                                                    \
    .engine = &qp_engine_interop, .kernel = &qp_kernel_jacobi9_array_##entry, \
    .own = &(const struct qp_jacobi9_variant)                                 \
    {                                                                         \
        .engine.shared = { QP_SHARE_##who }                                   \
    }

/* LL/DD to UU/DD and b/DD. */
#define PRE_DIVIDED                                                                             \
    {                                                                                           \
        QP_JACOBI9_PRE_LL, QP_JACOBI9_PRE_LL + 1, QP_JACOBI9_PRE_LL + 2, QP_JACOBI9_PRE_LL + 3, \
            QP_JACOBI9_PRE_LL + 4, QP_JACOBI9_PRE_LL + 5, QP_JACOBI9_PRE_LL + 6,                \
            QP_JACOBI9_PRE_UU, QP_JACOBI9_PRE_B                                                 \
    }
#define BANDS_IN(place)                                                                    \
    {                                                                                      \
        .name = "bands", .shape = {.format = QP_RGBA32F, .neighbours = 4, .slots = place}, \
        .fields = 9, .field = PRE_DIVIDED                                                  \
    }

/* Eight render targets: rows dealt out to eight textures of x, and each pre-divided band in a tall
 * texture that holds its eight sheets one above the other. So neighbouring fragments fetch
 * neighbouring texels, which they would not if a fragment's eight rows of a band were stored
 * together. */
#define EIGHT_SHEETS                                                               \
    {                                                                              \
        .format = QP_RGBA32F, .neighbours = 4, .sheets = 8, .pad_x = 1, .pad_y = 1 \
    }

#define TARGETS(shader)                                                                         \
    .state = EIGHT_SHEETS, .input = {BANDS(QP_JACOBI9_PRE_LL, QP_JACOBI9_PRE_B, EIGHT_SHEETS)}, \
    .flops = 20, .draw = {{.fragment = shader}}

const struct qp_recipe qp_jacobi9_gl[] = {
    /* ---- Paper 1: one value a texel, vectors that wrap at row ends ----
     * All of its variants compute x + w (b - A x) / DD, the diagonal's product inside A x. Two rows
     * of padding, because x[i - nx - 1] of the very first cell lies two rows down; one column,
     * because the last quad of a one-cell row reads it. */

    /* The first port: bands and right-hand side in the channels of three textures. */
    {.name = "jacobi9/generic",
     .backend = QP_GL,
     .layout = "bands in three RGBA textures",
     .place = "paper 1, mapping to the GPU",
     .sentence = "one quad; every fragment wraps its neighbours with floor(); 12 fetches",
     .needs = QP_CAN_RGBA32F,
     .state = ONE_VALUE(32),
     .input = {{.name = "bands_below",
                .shape = FOUR_SYSTEMS,
                .fields = 3,
                .field = {QP_JACOBI9_LL, QP_JACOBI9_LD, QP_JACOBI9_LU}},
               {.name = "bands_beside",
                .shape = FOUR_SYSTEMS,
                .fields = 4,
                .field = {QP_JACOBI9_DL, QP_JACOBI9_DD, QP_JACOBI9_DU, QP_JACOBI9_B}},
               {.name = "bands_above",
                .shape = FOUR_SYSTEMS,
                .fields = 3,
                .field = {QP_JACOBI9_UL, QP_JACOBI9_UD, QP_JACOBI9_UU}}},
     .draw = {{.fragment = "jacobi9/generic.frag"}},
     .own = &computed,
     .flops = 20},

    /* + one texture a band. */
    {.name = "jacobi9/bands",
     .after = "jacobi9/generic",
     .backend = QP_GL,
     .layout = "one texture a band",
     .place = "paper 1, mapping to the GPU",
     .sentence = "each band in a texture of its own: 19 fetches that use the texture cache better",
     PAPER1(ALL_BANDS, computed, ONE_VALUE(32)),
     .draw = {{.fragment = "jacobi9/bands.frag"}}},

    /* + the inverse of the diagonal, a texture more: A x needs the diagonal itself. */
    {.name = "jacobi9/inverse",
     .after = "jacobi9/bands",
     .backend = QP_GL,
     .layout = "one texture a band",
     .place = "paper 1, SIMD section, last trick",
     .sentence = "+ the inverse of the diagonal from the CPU: a 20th fetch and a product in place "
                 "of each division",
     PAPER1(BANDS_AND_INVERSE, computed, ONE_VALUE(32)),
     .draw = {{.fragment = "jacobi9/inverse.frag"}}},

    /* + three passes, each with a shader that knows where it runs. */
    {.name = "jacobi9/multipass",
     .after = "jacobi9/inverse",
     .backend = QP_GL,
     .layout = "one texture a band",
     .place = "paper 1, multipass rendering",
     .sentence =
         "interior quad, left line, right line: no fragment computes a wrap that it does not need",
     PAPER1(BANDS_AND_INVERSE, lines, ONE_VALUE(32)),
     .draw = {{.fragment = "jacobi9/multipass_interior.frag", .cover = QP_COVER_INTERIOR},
              {.fragment = "jacobi9/multipass_left.frag", .cover = QP_COVER_LEFT},
              {.fragment = "jacobi9/multipass_right.frag", .cover = QP_COVER_RIGHT}}},

    /* + neighbour coordinates from the vertex shader; the fragment shader is one for all
     * three passes. */
    {.name = "jacobi9/vertex",
     .after = "jacobi9/multipass",
     .backend = QP_GL,
     .layout = "one texture a band",
     .place = "paper 1, including the vertex shader",
     .sentence = "eight neighbour coordinates come interpolated from the vertex shader",
     PAPER1(BANDS_AND_INVERSE, lines, ONE_VALUE(32)),
     .draw = {WITH_VERTICES("jacobi9/vertex.frag", INTERIOR),
              WITH_VERTICES("jacobi9/vertex.frag", LEFT),
              WITH_VERTICES("jacobi9/vertex.frag", RIGHT)}},

    /* ---- Paper 1, RGBA columns: the ladder again, four independent systems in the channels ----
     * Its first rung has no form of its own, since the channels are taken. */

    {.name = "jacobi9/bands_systems",
     .after = "jacobi9/bands",
     .backend = QP_GL,
     .layout = "one texture a band, four systems in RGBA",
     .place = "paper 1, SIMD section, RGBA",
     .sentence = "four independent systems, one a channel, share each of the 19 fetches",
     PAPER1(ALL_BANDS, computed, FOUR_SYSTEMS),
     .draw = {{.fragment = "jacobi9/bands_systems.frag"}},
     .systems = 4},

    {.name = "jacobi9/inverse_systems",
     .after = "jacobi9/bands_systems",
     .backend = QP_GL,
     .layout = "one texture a band, four systems in RGBA",
     .place = "paper 1, SIMD section, last trick, RGBA",
     .sentence = "+ the inverse of the diagonal",
     PAPER1(BANDS_AND_INVERSE, computed, FOUR_SYSTEMS),
     .draw = {{.fragment = "jacobi9/inverse_systems.frag"}},
     .systems = 4},

    {.name = "jacobi9/multipass_systems",
     .after = "jacobi9/inverse_systems",
     .backend = QP_GL,
     .layout = "one texture a band, four systems in RGBA",
     .place = "paper 1, multipass rendering, RGBA",
     .sentence = "+ interior quad, left line, right line",
     PAPER1(BANDS_AND_INVERSE, lines, FOUR_SYSTEMS),
     .draw = {{.fragment = "jacobi9/multipass_interior_systems.frag", .cover = QP_COVER_INTERIOR},
              {.fragment = "jacobi9/multipass_left_systems.frag", .cover = QP_COVER_LEFT},
              {.fragment = "jacobi9/multipass_right_systems.frag", .cover = QP_COVER_RIGHT}},
     .systems = 4},

    {.name = "jacobi9/vertex_systems",
     .after = "jacobi9/vertex",
     .backend = QP_GL,
     .layout = "one texture a band, four systems in RGBA",
     .place = "paper 1, including the vertex shader, RGBA",
     .sentence = "+ neighbour coordinates from the vertex shader: the paper's RGBA columns",
     PAPER1(BANDS_AND_INVERSE, lines, FOUR_SYSTEMS),
     .draw = {WITH_VERTICES("jacobi9/vertex_systems.frag", INTERIOR),
              WITH_VERTICES("jacobi9/vertex_systems.frag", LEFT),
              WITH_VERTICES("jacobi9/vertex_systems.frag", RIGHT)},
     .systems = 4},

    /* ---- Paper 1, beyond its scope by its own words: one vector in squares of 2 x 2 cells ---- */

    {.name = "jacobi9/rgba_2x2",
     .after = "jacobi9/vertex",
     .backend = QP_GL,
     .layout = "squares of 2 x 2 cells a texel",
     .place = "paper 1, SIMD section, beyond its scope",
     .sentence =
         "one vector in a 2D RGBA structure: neighbours gathered from nine squares by swizzles",
     .state = SQUARE,
     .input = {ALL_BANDS(SQUARE)},
     .draw = {{.fragment = "jacobi9/rgba_2x2.frag"}},
     .flops = 20},

    /* ---- Paper 3: zeros in the bands make the border ---- */

    {.name = "jacobi9/luminance",
     .after = "jacobi9/amorim_cpu",
     .backend = QP_GL,
     .layout = "one zero-padded texture a band",
     .place = "paper 3, section 5.1, figure 7: OGL_Luminance",
     .sentence = "zeros in the bands mark the border: one quad, no wrap, no branch",
     LUMINANCE(32, "jacobi9/luminance.frag")},

    {.name = "jacobi9/rgba",
     .after = "jacobi9/luminance",
     .backend = QP_GL,
     .layout = "four neighbours a texel",
     .place = "paper 3, section 5.2, figures 8 and 9: OGL_RGBA",
     .sentence = "four cells of a row at once; swizzles line up the shifted neighbours",
     RGBA(32, "jacobi9/rgba.frag")},

    {.name = "jacobi9/symmetric",
     .after = "jacobi9/luminance",
     .backend = QP_GL,
     .layout = "five zero-padded bands, one a texture",
     .place = "paper 3, section 8, without its conditionals",
     .sentence = "a symmetric matrix stores half of its bands; the lower ones are fetched from the "
                 "neighbours, and padding spares every test",
     UPPER_BANDS("jacobi9/symmetric.frag")},

    {.name = "jacobi9/symmetric_conditionals",
     .after = "jacobi9/luminance",
     .backend = QP_GL,
     .layout = "five bands, one a texture",
     .place = "paper 3, section 8: 10 % slower",
     .sentence = "symmetric as the paper tried it: conditionals keep fetches inside the grid",
     UPPER_BANDS("jacobi9/symmetric_conditionals.frag")},

    /* ---- Paper 2's bounds: variants unchanged but for the source of the shader's values ---- */

    {.name = "jacobi9/luminance_notex",
     .after = "jacobi9/luminance",
     .backend = QP_GL,
     .layout = "one zero-padded texture a band",
     .place = "paper 2, notex",
     .sentence = "bound of luminance: the same arithmetic, no fetch; values come from coordinates "
                 "and uniforms",
     LUMINANCE(32, "jacobi9/luminance_notex.frag"),
     .bound = true},

    {.name = "jacobi9/luminance_alwayscache",
     .after = "jacobi9/luminance",
     .backend = QP_GL,
     .layout = "one zero-padded texture a band",
     .place = "paper 2, alwayscache",
     .sentence = "bound of luminance: all its fetches, of every texture one and the same texel",
     LUMINANCE(32, "jacobi9/luminance_alwayscache.frag"),
     .bound = true},

    {.name = "jacobi9/rgba_notex",
     .after = "jacobi9/rgba",
     .backend = QP_GL,
     .layout = "four neighbours a texel",
     .place = "paper 2, notex",
     .sentence =
         "bound of rgba: the same arithmetic, no fetch; values come from coordinates and uniforms",
     RGBA(32, "jacobi9/rgba_notex.frag"),
     .bound = true},

    {.name = "jacobi9/rgba_alwayscache",
     .after = "jacobi9/rgba",
     .backend = QP_GL,
     .layout = "four neighbours a texel",
     .place = "paper 2, alwayscache",
     .sentence = "bound of rgba: all its fetches, of every texture one and the same texel",
     RGBA(32, "jacobi9/rgba_alwayscache.frag"),
     .bound = true},

    /* ---- The same in 16 bits: half the bytes, and 11 digits instead of 24 ---- */

    {.name = "jacobi9/luminance_half",
     .after = "jacobi9/luminance",
     .backend = QP_GL,
     .layout = "one zero-padded texture a band, 16 bits",
     .place = "ours: the 16-bit formats of 2004",
     .sentence = "luminance with all arrays in 16 bits: half the bytes, 11 digits",
     LUMINANCE(16, "jacobi9/luminance.frag")},

    {.name = "jacobi9/rgba_half",
     .after = "jacobi9/rgba",
     .backend = QP_GL,
     .layout = "four neighbours a texel, 16 bits",
     .place = "ours: the 16-bit formats of 2004",
     .sentence = "rgba with all arrays in 16 bits: half the bytes, 11 digits",
     RGBA(16, "jacobi9/rgba.frag")},

    /* ---- Compute shaders ----
     * With the two storages of bands that are best for drawing. Work groups that are rows read one
     * stream of memory a band; a stamp of 4 x 4 fragments reads four. */

    {.name = "jacobi9/compute",
     .after = "jacobi9/rgba",
     .backend = QP_GL,
     .layout = "four neighbours a texel, pre-divided",
     .place = "what came after: OpenGL 4.3",
     .sentence = "a compute shader: nothing is drawn; groups have the size that is fastest here",
     .state = FOUR_CELLS(32),
     .input = {BANDS(QP_JACOBI9_PRE_LL, QP_JACOBI9_PRE_B, FOUR_CELLS(32))},
     .draw = {{.compute = "jacobi9/compute.comp"}},
     .flops = 20},

    {.name = "jacobi9/compute_abreast",
     .after = "jacobi9/compute",
     .backend = QP_GL,
     .layout = "four neighbours a texel, bands side by side",
     .place = "what came after: OpenGL 4.3",
     .sentence = "rgba_abreast as a compute shader",
     .state = FOUR_CELLS(32),
     .input = {BANDS_IN(QP_ABREAST)},
     .draw = {{.compute = "jacobi9/compute_abreast.comp"}},
     .flops = 20},

    /* ---- Ours ---- */

    /* The order of paper 3's CPU storage in a texture: texel 9 X + k holds band k of cells 4 X to 4
     * X + 3, already divided by the diagonal; k = 8 is the right-hand side. */
    {.name = "jacobi9/rgba_abreast",
     .after = "jacobi9/rgba",
     .backend = QP_GL,
     .layout = "four neighbours a texel, bands side by side",
     .place = "ours, after paper 3, figure 4",
     .sentence =
         "bands pre-divided and side by side in one texture: four memory streams a stamp, not 36",
     .state = FOUR_CELLS(32),
     .input = {BANDS_IN(QP_ABREAST)},
     .draw = {{.fragment = "jacobi9/rgba_abreast.frag"}},
     .flops = 20},

    /* rgba_abreast cut into tiles, for grids whose textures, or whose bands side by side, do not
     * fit. */
    {.name = "jacobi9/rgba_tiles",
     .after = "jacobi9/rgba_abreast",
     .backend = QP_GL,
     .layout = "rgba_abreast in tiles that overlap",
     .place = "ours: tiling beyond the texture limit",
     .sentence = "grids of any size, cut into tiles that give each other their borders after every "
                 "pass, on the device",
     .engine = &qp_engine_parts,
     .state = FOUR_CELLS(32),
     .input = {BANDS_IN(QP_ABREAST)},
     .draw = {{.fragment = "jacobi9/rgba_abreast.frag"}},
     .own =
         &(const struct qp_jacobi9_variant){
             .engine.parts = {.runs = {{qp_jacobi9_gl, "jacobi9/rgba_abreast"}},
                              .texels = INT_MAX}},
     .flops = 20},

    /* rgba_abreast in the order of llvmpipe's stamps (4 x 4 fragments). Paddings of three texels
     * put x's domain on a cache line. */
    {.name = "jacobi9/rgba_stamps",
     .after = "jacobi9/rgba_abreast",
     .backend = QP_GL,
     .layout = "four neighbours a texel, bands by stamps",
     .place = "ours",
     .sentence = "four texels of each band in turn, as llvmpipe's stamps of 4 x 4 want them; x by "
                 "imageLoad, which it compiles inline",
     .state = {.format = QP_RGBA32F, .neighbours = 4, .pad_x = 3, .pad_y = 1},
     .input = {BANDS_IN(QP_IN_STAMPS)},
     .draw = {{.fragment = "jacobi9/rgba_stamps.frag", .loads_x = true}},
     .flops = 20},

    {.name = "jacobi9/rgba_targets",
     .after = "jacobi9/rgba",
     .backend = QP_GL,
     .layout = "four neighbours a texel, rows dealt out to eight textures",
     .place = "ours",
     .sentence = "eight render targets: a fragment updates 4 x 8 cells, and 30 fetches of x serve "
                 "them in place of 72",
     TARGETS("jacobi9/rgba_targets.frag")},

    /* Bound of rgba_targets without fetches, as in paper 2. */
    {.name = "jacobi9/rgba_targets_notex",
     .after = "jacobi9/rgba_targets",
     .backend = QP_GL,
     .layout = "four neighbours a texel, rows dealt out to eight textures",
     .place = "ours",
     .sentence = "bound of rgba_targets: the same arithmetic, no fetch; values come from "
                 "coordinates and uniforms",
     TARGETS("jacobi9/rgba_targets_notex.frag"),
     .bound = true},

    {0},
};

const struct qp_recipe qp_jacobi9_shared[] = {
    /* ---- Textures shared by OpenGL and CUDA ----
     * Beyond the papers, whose CUDA knew no textures of OpenGL. Variants differ in the cost of
     * handing textures over: nothing, mapping once a step, registering too. */

    {.name = "jacobi9/cuda_halves",
     .backend = QP_CUDA,
     .layout = "luminance's textures, shared with OpenGL",
     .place = "ours: CUDA and OpenGL on one texture",
     .sentence = "of every step luminance's shader draws the lower half, and a kernel stores the "
                 "upper one into the same texture",
     LUMINANCE(32, "jacobi9/luminance.frag"),
     SHARED(textures, HALVES)},

    {.name = "jacobi9/cuda_alternate",
     .backend = QP_CUDA,
     .layout = "luminance's textures, shared with OpenGL",
     .place = "ours: CUDA and OpenGL on one texture",
     .sentence = "odd steps are drawn by luminance's shader, even ones launched as a kernel on the "
                 "same textures",
     LUMINANCE(32, "jacobi9/luminance.frag"),
     SHARED(textures, ALTERNATE)},

    {.name = "jacobi9/cuda_arrays",
     .backend = QP_CUDA,
     .layout = "luminance's textures, shared with OpenGL",
     .place = "ours: CUDA and OpenGL on one texture",
     .sentence = "kernels alone: the same fetches from the arrays that textures are, mapped once",
     BANDS_APART(ONE_VALUE(32)),
     SHARED(textures, KEPT)},

    {.name = "jacobi9/cuda_arrays_surfaces",
     .after = "jacobi9/cuda_arrays",
     .backend = QP_CUDA,
     .layout = "luminance's textures, shared with OpenGL",
     .place = "ours: CUDA and OpenGL on one texture",
     .sentence = "cuda_arrays, with surface reads in place of fetches",
     BANDS_APART(ONE_VALUE(32)),
     SHARED(surfaces, KEPT)},

    {.name = "jacobi9/cuda_arrays_mapped",
     .after = "jacobi9/cuda_arrays",
     .backend = QP_CUDA,
     .layout = "luminance's textures, shared with OpenGL",
     .place = "ours: CUDA and OpenGL on one texture",
     .sentence = "cuda_arrays, with all textures mapped and unmapped in every step: what changing "
                 "hands costs",
     BANDS_APART(ONE_VALUE(32)),
     SHARED(textures, MAPPED)},

    {.name = "jacobi9/cuda_arrays_registered",
     .after = "jacobi9/cuda_arrays_mapped",
     .backend = QP_CUDA,
     .layout = "luminance's textures, shared with OpenGL",
     .place = "ours: CUDA and OpenGL on one texture",
     .sentence = "cuda_arrays_mapped, with both textures of x registered in every step too: what "
                 "should be done once",
     BANDS_APART(ONE_VALUE(32)),
     SHARED(textures, REGISTERED)},

    {0},
};
