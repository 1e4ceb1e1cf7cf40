#version 400 compatibility
// SPDX-License-Identifier: MIT
// Adds 4 x 4 terms in double as a tree four deep. A line in front makes them of cells of x and y: reduce_kernels.c.
// A term is a pair (m, e), which means m 2^(600 e): squares and sums of terms never leave the range of doubles.
uniform usampler2DRect x;
#ifdef TWO
uniform usampler2DRect y;
uniform vec2 apart; // distance from a texel of x to that of y
#endif
uniform vec2 origin; // corner of the input, in texels of x
uniform vec2 size;   // texels of the input, across and up
out uvec4 words;

// 2^600 and 2^-600, from bits: not every driver reads a literal exactly.
#define UP packDouble2x32(uvec2(0u, 1623u << 20))
#define DOWN packDouble2x32(uvec2(0u, 423u << 20))

dvec2 wide(double a)
{
    precise double less = a * DOWN, more = a * UP;
    return abs(a) > 1e120LF ? dvec2(less, 1.0LF) : abs(a) < 1e-120LF ? dvec2(more, -1.0LF) : dvec2(a, 0.0LF);
}

dvec2 times(dvec2 a, dvec2 b)
{
    precise double m = a.x * b.x;
    return dvec2(m, a.y + b.y);
}

// m with an exponent larger by `more`. Without `precise` an optimiser would multiply by DOWN * DOWN, which is 0.
double fit(double m, double more)
{
    precise double once = m * DOWN;
    precise double twice = once * DOWN;
    return more > 0.5LF ? (more > 1.5LF ? twice : once) : m;
}

dvec2 add(dvec2 a, dvec2 b)
{
    double e = max(a.y, b.y);
    return dvec2(fit(a.x, e - a.y) + fit(b.x, e - b.y), e);
}

// A coordinate beyond the edge is moved onto it and the value dropped: nothing outside is ever
// read.
dvec2 term(vec2 place)
{
    vec2 here = origin + min(place, size - 0.5);
    dvec2 a = VALUE_OF(texture(x, here));
#ifdef TWO
    dvec2 b = VALUE_OF(texture(y, here + apart));
#else
    dvec2 b = a;
#endif
    return place.x < size.x && place.y < size.y ? TERM_OF(a, b) : dvec2(0.0LF, -2.0LF);
}

dvec2 row(vec2 place)
{
    return add(add(term(place), term(place + vec2(1.0, 0.0))),
               add(term(place + vec2(2.0, 0.0)), term(place + vec2(3.0, 0.0))));
}

void main()
{
    vec2 place = 4.0 * (gl_FragCoord.xy - 0.5) + 0.5;
    dvec2 all = add(add(row(place), row(place + vec2(0.0, 1.0))),
                    add(row(place + vec2(0.0, 2.0)), row(place + vec2(0.0, 3.0))));
    words = uvec4(unpackDouble2x32(all.x), unpackDouble2x32(all.y));
}
