#version 430 compatibility
// SPDX-License-Identifier: MIT
// targets.frag as a compute shader: an invocation stores its 4 x 8 cells, so that x needs no sheets. Work
// groups may reach beyond the area that is asked for.
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 8
#define GROUP_Y 8
#endif
#ifndef STEPS // defined by the engine, too
#define STEPS 4
#endif
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(rgba32f) writeonly uniform image2DRect target;
uniform sampler2DRect x;
#ifdef RHS
uniform sampler2DRect rhs; // h^2 f
#endif
uniform vec2 first, end; // begin and end of the area, in texels across and eights of rows up
uniform vec2 origin;     // corner of the domain, in texels
#ifdef RIM
uniform vec2 cells; // cells of the grid, across and up
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

vec2 here; // centre of the lowest texel

// Row r, counted from STEPS rows below the invocation's own.
vec4 texel(int r, float across)
{
    return texture2DRect(x, here + vec2(across, float(r - STEPS)));
}

row fetch(int r)
{
#if STEPS > 4
    return row(texel(r, -2.0), texel(r, -1.0), texel(r, 0.0), texel(r, 1.0), texel(r, 2.0));
#else
    return row(vec4(0.0), texel(r, -1.0), texel(r, 0.0), texel(r, 1.0), vec4(0.0));
#endif
}

// A texel of a row, `across` from the invocation's own; which of its cells are in the grid, and which above or below
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
    return here.y - 0.5 - origin.y + float(r - STEPS);
}
#endif

// Four cells of row r, in the texel `across` from the invocation's: step `done`, counted from 0.
vec4 update(float before, vec4 at, float after, vec4 below, vec4 above, texel_column column, int r, int done)
{
    precise vec4 sum = (vec4(before, at.xyz) + vec4(at.yzw, after)) + (below + above);
#ifdef RHS
    sum += texture2DRect(rhs, here + vec2(column.across, float(r - STEPS)));
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

// Row r of the eight.
void store(int r, vec4 relaxed)
{
#ifdef RIM
    if (here.y - origin.y + float(r) >= cells.y)
        return;
#endif
    imageStore(target, ivec2(here) + ivec2(0, r), relaxed);
}

void main()
{
    vec2 place = first + vec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(place, end)))
        return;
    here = origin + vec2(place.x, 8.0 * place.y) + 0.5;
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
    store(0, u0.middle);
    store(1, u1.middle);
    store(2, u2.middle);
    store(3, u3.middle);
    store(4, u4.middle);
    store(5, u5.middle);
    store(6, u6.middle);
    store(7, u7.middle);
}
