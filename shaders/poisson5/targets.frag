#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
#extension GL_ARB_gpu_shader5 : require
// A step or several at once, four cells of a row a texel, rows dealt out to eight textures: row 8 Y + r is in the
// r-th. A fragment updates one texel in each of eight render targets, 4 x 8 cells. It fetches all texels on which
// they depend and takes all steps on these texels; each step leaves a row and a cell less that are right, on every
// side. Texels that no later step needs are not computed: compilers would leave them out, too, but some take a minute.
// `precise`: no other order of additions and no contraction, so that the bits are those of single steps.
// No loops: llvmpipe would not unroll them, and would keep all rows in memory.
//
// Bounds of it (paper 2), by a line that the engine puts in front. NOTEX: the same arithmetic without a single fetch.
// In place of a fetch, values are made of its coordinates, the array's number and uniforms: no compiler can know them
// before the run, and all are different. ALWAYSCACHE: all fetches, but always of one and the same texel of a texture,
// so that the cache always hits. It is padding, below and left of the domain's first; no draw writes it. The parts of
// each uniform are equal, but no compiler knows that: the fetches stay as many, and their places cost no arithmetic.
#ifndef STEPS // defined by the engine, in front of this file
#define STEPS 4
#endif
#ifdef NOTEX
const float x[8] = float[8](0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0), rhs = 8.0;
uniform vec2 size;
#define texture2DRect made
#else
uniform sampler2DRect x[8];
#ifdef RHS
uniform sampler2DRect rhs; // h^2 f, its sheets one above the other
#endif
#endif
#ifdef ALWAYSCACHE
uniform float same_x[5];  // coordinates of that texel for two texels to the left, the own and two to the right
uniform float same_y[16]; // coordinates of that texel for each row
#elif defined RHS
uniform float sheet; // texels from one sheet to the next
#endif
#if defined RIM || defined NOTEX
uniform vec2 origin, cells; // corner of the domain in one sheet, in texels; cells of the grid, across and up
#endif
#ifdef SPIKE
uniform vec2 spike; // the cell with h^2 f = 1
#endif
#ifdef WEIGHTED
uniform float weight[8];
#endif

struct row {
    vec4 farther_left, left, middle, right, farther_right;
};

vec2 here = gl_FragCoord.xy;

// Row r, counted from STEPS rows below the fragment's own: its sheet, and the distance of its texels there, upward.
int sheet_of(int r)
{
    return (r + 7 * STEPS) % 8;
}

float up_of(int r)
{
    return float((r + 7 * STEPS) / 8 - STEPS);
}

#ifdef NOTEX
vec4 made(float array, vec2 at)
{
    return at.x * at.y * vec4(size, origin.y, cells.x) + array;
}
#endif

// Texel of row r, `across` from the fragment's own.
vec2 place_of(int r, float across)
{
#ifdef ALWAYSCACHE
    return vec2(same_x[int(across) + 2], same_y[r]);
#else
    return here + vec2(across, up_of(r));
#endif
}

// The same in the right-hand side's one texture.
vec2 rhs_place_of(int r, float across)
{
#if defined RHS && !defined ALWAYSCACHE
    return here + vec2(across, up_of(r) + sheet * float(sheet_of(r)));
#else
    return place_of(r, across);
#endif
}

vec4 texel(int r, float across)
{
    return texture2DRect(x[sheet_of(r)], place_of(r, across));
}

row fetch(int r)
{
#if STEPS > 4
    return row(texel(r, -2.0), texel(r, -1.0), texel(r, 0.0), texel(r, 1.0), texel(r, 2.0));
#else
    return row(vec4(0.0), texel(r, -1.0), texel(r, 0.0), texel(r, 1.0), vec4(0.0));
#endif
}

// A texel of a row, `across` from the fragment's own; which of its cells are in the grid, and which above or below
// the spike. All rows share it, as a compiler takes five times as long where every update compares for itself.
struct texel_column {
    float across;
#ifdef RIM
    bvec4 inside;
#endif
#ifdef SPIKE
    vec4 spiked;
#endif
};

texel_column look(float across)
{
    texel_column result;
    result.across = across;
#ifdef RIM
    vec4 column = 4.0 * (here.x - 0.5 - origin.x + across) + vec4(0.0, 1.0, 2.0, 3.0);
    result.inside = equal(column, clamp(column, 0.0, cells.x - 1.0));
#endif
#ifdef SPIKE
    result.spiked = vec4(equal(column, spike.xxxx));
#endif
    return result;
}

texel_column farther_left, left, middle, right, farther_right;

void look_across()
{
    farther_left = look(-2.0);
    left = look(-1.0);
    middle = look(0.0);
    right = look(1.0);
    farther_right = look(2.0);
}

#ifdef RIM
float line_of(int r)
{
    return 8.0 * (here.y - 0.5 - origin.y) + float(r - STEPS);
}
#endif

// Four cells of row r, in the texel `across` from the fragment's: step `done`, counted from 0.
vec4 update(float before, vec4 at, float after, vec4 below, vec4 above, texel_column column, int r, int done)
{
    precise vec4 sum = (vec4(before, at.xyz) + vec4(at.yzw, after)) + (below + above);
#ifdef RHS
    sum += texture2DRect(rhs, rhs_place_of(r, column.across));
#endif
#ifdef SPIKE
    sum += float(line_of(r) == spike.y) * column.spiked;
#endif
    precise vec4 relaxed = sum * 0.25;
#ifdef WEIGHTED
    relaxed = at + weight[done] * (relaxed - at);
#endif
#ifdef RIM
    relaxed = mix(vec4(0.0), relaxed, column.inside);
    relaxed = line_of(r) == clamp(line_of(r), 0.0, cells.y - 1.0) ? relaxed : vec4(0.0);
#endif
    return relaxed;
}

// A row after a step: only its own texel after the last step, three where steps follow, five where five or more do.
row relax_1(row below, row old, row above, int r, int done)
{
    return row(vec4(0.0), vec4(0.0),
               update(old.left.w, old.middle, old.right.x, below.middle, above.middle, middle, r, done),
               vec4(0.0), vec4(0.0));
}

row relax_3(row below, row old, row above, int r, int done)
{
    return row(vec4(0.0),
               update(old.farther_left.w, old.left, old.middle.x, below.left, above.left, left, r, done),
               update(old.left.w, old.middle, old.right.x, below.middle, above.middle, middle, r, done),
               update(old.middle.w, old.right, old.farther_right.x, below.right, above.right, right, r, done),
               vec4(0.0));
}

row relax_5(row below, row old, row above, int r, int done)
{
    return row(update(0.0, old.farther_left, old.left.x,
                      below.farther_left, above.farther_left, farther_left, r, done),
               update(old.farther_left.w, old.left, old.middle.x, below.left, above.left, left, r, done),
               update(old.left.w, old.middle, old.right.x, below.middle, above.middle, middle, r, done),
               update(old.middle.w, old.right, old.farther_right.x, below.right, above.right, right, r, done),
               update(old.right.w, old.farther_right, 0.0,
                      below.farther_right, above.farther_right, farther_right, r, done));
}

// Rows after a step go one variable down: before step `done` u0 is row `done`.
#define RELAX(relax, a, b, c, i) a = relax(a, b, c, i + done + 1, done);
#define RELAX_8(relax) \
    RELAX(relax, u0, u1, u2, 0) RELAX(relax, u1, u2, u3, 1) \
    RELAX(relax, u2, u3, u4, 2) RELAX(relax, u3, u4, u5, 3) \
    RELAX(relax, u4, u5, u6, 4) RELAX(relax, u5, u6, u7, 5) \
    RELAX(relax, u6, u7, u8, 6) RELAX(relax, u7, u8, u9, 7)
#define RELAX_10(relax) RELAX_8(relax) \
    RELAX(relax, u8, u9, u10, 8) RELAX(relax, u9, u10, u11, 9)
#define RELAX_12(relax) RELAX_10(relax) \
    RELAX(relax, u10, u11, u12, 10) RELAX(relax, u11, u12, u13, 11)
#define RELAX_14(relax) RELAX_12(relax) \
    RELAX(relax, u12, u13, u14, 12) RELAX(relax, u13, u14, u15, 13)
#define RELAX_16(relax) RELAX_14(relax) \
    RELAX(relax, u14, u15, u16, 14) RELAX(relax, u15, u16, u17, 15)
#define RELAX_18(relax) RELAX_16(relax) \
    RELAX(relax, u16, u17, u18, 16) RELAX(relax, u17, u18, u19, 17)
#define RELAX_20(relax) RELAX_18(relax) \
    RELAX(relax, u18, u19, u20, 18) RELAX(relax, u19, u20, u21, 19)
#define RELAX_22(relax) RELAX_20(relax) \
    RELAX(relax, u20, u21, u22, 20) RELAX(relax, u21, u22, u23, 21)

void main()
{
    look_across();
    row u0 = fetch(0), u1 = fetch(1), u2 = fetch(2), u3 = fetch(3), u4 = fetch(4);
    row u5 = fetch(5), u6 = fetch(6), u7 = fetch(7), u8 = fetch(8), u9 = fetch(9);
#if STEPS >= 2
    row u10 = fetch(10), u11 = fetch(11);
#endif
#if STEPS >= 3
    row u12 = fetch(12), u13 = fetch(13);
#endif
#if STEPS >= 4
    row u14 = fetch(14), u15 = fetch(15);
#endif
#if STEPS >= 5
    row u16 = fetch(16), u17 = fetch(17);
#endif
#if STEPS >= 6
    row u18 = fetch(18), u19 = fetch(19);
#endif
#if STEPS >= 7
    row u20 = fetch(20), u21 = fetch(21);
#endif
#if STEPS >= 8
    row u22 = fetch(22), u23 = fetch(23);
#endif
    int done = 0;
#if STEPS >= 8
    RELAX_22(relax_5)
    done++;
#endif
#if STEPS >= 7
    RELAX_20(relax_5)
    done++;
#endif
#if STEPS >= 6
    RELAX_18(relax_5)
    done++;
#endif
#if STEPS >= 5
    RELAX_16(relax_3)
    done++;
#endif
#if STEPS >= 4
    RELAX_14(relax_3)
    done++;
#endif
#if STEPS >= 3
    RELAX_12(relax_3)
    done++;
#endif
#if STEPS >= 2
    RELAX_10(relax_3)
    done++;
#endif
    RELAX_8(relax_1)
    gl_FragData[0] = u0.middle;
    gl_FragData[1] = u1.middle;
    gl_FragData[2] = u2.middle;
    gl_FragData[3] = u3.middle;
    gl_FragData[4] = u4.middle;
    gl_FragData[5] = u5.middle;
    gl_FragData[6] = u6.middle;
    gl_FragData[7] = u7.middle;
}
