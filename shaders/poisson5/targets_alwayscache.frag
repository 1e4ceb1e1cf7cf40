#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
#extension GL_ARB_gpu_shader5 : require
// Bound of targets.frag: all its fetches, but of every texture one and the same texel, so that the cache always hits
// (paper 2). It is the padding below and left of the domain's first: nobody writes it. The parts of each uniform are
// alike, which no compiler knows: so fetches stay as many as they were, and where they go costs no arithmetic.
#ifndef STEPS // defined by the engine, in front of this file
#define STEPS 4
#endif
uniform sampler2DRect x[8];
#ifdef RHS
uniform sampler2DRect rhs; // h^2 f, its sheets one above the other
#endif
uniform float same_x[5]; // where that texel is, for the two left, the own and the two right
uniform float same_y[16]; // likewise, for each row
#ifdef RIM
uniform vec2 origin, cells; // of the domain in one sheet, in texels; of the grid, across and up
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

// Row r, counted from STEPS rows below the fragment's own: its sheet.
int sheet_of(int r)
{
    return (r + 7 * STEPS) % 8;
}

vec2 place_of(int r, float across)
{
    return vec2(same_x[int(across) + 2], same_y[r]);
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

// Four cells of row r, in the texel `across` from the fragment's: step `done`, counted from 0.
vec4 update(float before, vec4 at, float after, vec4 below, vec4 above, float across, int r, int done)
{
    precise vec4 sum = (vec4(before, at.xyz) + vec4(at.yzw, after)) + (below + above);
#ifdef RHS
    sum += texture2DRect(rhs, place_of(r, across));
#endif
#ifdef RIM
    vec2 place = here - 0.5 - origin;
    vec4 column = 4.0 * (place.x + across) + vec4(0.0, 1.0, 2.0, 3.0);
    vec4 line = vec4(8.0 * place.y + float(r - STEPS));
#endif
#ifdef SPIKE
    sum += vec4(equal(column, spike.xxxx)) * vec4(equal(line, spike.yyyy));
#endif
    precise vec4 relaxed = sum * 0.25;
#ifdef WEIGHTED
    relaxed = at + weight[done] * (relaxed - at);
#endif
#ifdef RIM
    relaxed = mix(vec4(0.0), relaxed, greaterThanEqual(min(column, line), vec4(0.0)));
    relaxed = mix(vec4(0.0), relaxed, lessThan(max(column - cells.x, line - cells.y), vec4(0.0)));
#endif
    return relaxed;
}

row relax(row below, row old, row above, int r, int done)
{
    return row(update(0.0, old.farther_left, old.left.x, below.farther_left, above.farther_left, -2.0, r, done),
               update(old.farther_left.w, old.left, old.middle.x, below.left, above.left, -1.0, r, done),
               update(old.left.w, old.middle, old.right.x, below.middle, above.middle, 0.0, r, done),
               update(old.middle.w, old.right, old.farther_right.x, below.right, above.right, 1.0, r, done),
               update(old.right.w, old.farther_right, 0.0, below.farther_right, above.farther_right, 2.0, r, done));
}

// Rows after a step go one variable down: before step `done` u0 is row `done`.
#define RELAX(a, b, c, i) a = relax(a, b, c, i + done + 1, done);
#define RELAX_8 \
    RELAX(u0, u1, u2, 0) RELAX(u1, u2, u3, 1) RELAX(u2, u3, u4, 2) RELAX(u3, u4, u5, 3) \
    RELAX(u4, u5, u6, 4) RELAX(u5, u6, u7, 5) RELAX(u6, u7, u8, 6) RELAX(u7, u8, u9, 7)
#define RELAX_10 RELAX_8 RELAX(u8, u9, u10, 8) RELAX(u9, u10, u11, 9)
#define RELAX_12 RELAX_10 RELAX(u10, u11, u12, 10) RELAX(u11, u12, u13, 11)
#define RELAX_14 RELAX_12 RELAX(u12, u13, u14, 12) RELAX(u13, u14, u15, 13)
#define RELAX_16 RELAX_14 RELAX(u14, u15, u16, 14) RELAX(u15, u16, u17, 15)
#define RELAX_18 RELAX_16 RELAX(u16, u17, u18, 16) RELAX(u17, u18, u19, 17)
#define RELAX_20 RELAX_18 RELAX(u18, u19, u20, 18) RELAX(u19, u20, u21, 19)
#define RELAX_22 RELAX_20 RELAX(u20, u21, u22, 20) RELAX(u21, u22, u23, 21)

void main()
{
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
    RELAX_22
    done++;
#endif
#if STEPS >= 7
    RELAX_20
    done++;
#endif
#if STEPS >= 6
    RELAX_18
    done++;
#endif
#if STEPS >= 5
    RELAX_16
    done++;
#endif
#if STEPS >= 4
    RELAX_14
    done++;
#endif
#if STEPS >= 3
    RELAX_12
    done++;
#endif
#if STEPS >= 2
    RELAX_10
    done++;
#endif
    RELAX_8
    gl_FragData[0] = u0.middle;
    gl_FragData[1] = u1.middle;
    gl_FragData[2] = u2.middle;
    gl_FragData[3] = u3.middle;
    gl_FragData[4] = u4.middle;
    gl_FragData[5] = u5.middle;
    gl_FragData[6] = u6.middle;
    gl_FragData[7] = u7.middle;
}
