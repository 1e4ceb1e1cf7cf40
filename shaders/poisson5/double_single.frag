#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
#extension GL_ARB_gpu_shader5 : require
// luminance.frag with emulated doubles: a value is the sum of two floats, r + g, with 48 binary digits. Errors of sums
// and products are floats themselves, and a few operations find them exactly (Knuth 1969, Dekker 1971). Without
// `precise` an optimiser would replace them by 0. No fused multiply-add is needed.
uniform sampler2DRect x;
#ifdef RHS
uniform sampler2DRect rhs; // h^2 f
#endif
#ifdef SPIKE
uniform vec2 origin; // corner of the domain, in texels
uniform vec2 spike;  // the cell with h^2 f = 1
#endif
#ifdef WEIGHTED
uniform vec2 weight[1];
#endif

vec2 value(sampler2DRect array, vec2 place)
{
    return texture2DRect(array, place).rg;
}

// Knuth: the sum of two floats and its rounding error.
vec2 two_sum(float a, float b)
{
    precise float sum = a + b;
    precise float part = sum - a;
    precise float lost = (a - (sum - part)) + (b - part);
    return vec2(sum, lost);
}

// Dekker: the same if |a| is the larger one, or if both are so small beside the result that the order does not matter.
vec2 quick_sum(float a, float b)
{
    precise float sum = a + b;
    precise float lost = b - (sum - a);
    return vec2(sum, lost);
}

#ifdef WEIGHTED
vec2 add(vec2 a, vec2 b)
{
    vec2 sum = two_sum(a.r, b.r);
    precise float low = sum.g + (a.g + b.g);
    return quick_sum(sum.r, low);
}

// Dekker: a float as the sum of two floats with 12 digits each.
vec2 split(float a)
{
    precise float c = 4097.0 * a;
    precise float high = c - (c - a);
    precise float low = a - high;
    return vec2(high, low);
}

vec2 multiply(vec2 a, vec2 b)
{
    vec2 p = split(a.r), q = split(b.r);
    precise float product = a.r * b.r;
    precise float lost = ((p.r * q.r - product) + p.r * q.g + p.g * q.r) + p.g * q.g;
    precise float low = lost + (a.r * b.g + a.g * b.r);
    return quick_sum(product, low);
}
#endif

void main()
{
    vec2 here = gl_FragCoord.xy;
    vec2 left = value(x, here + vec2(-1.0, 0.0)), right = value(x, here + vec2(1.0, 0.0));
    vec2 below = value(x, here + vec2(0.0, -1.0)), above = value(x, here + vec2(0.0, 1.0));
    vec2 row = two_sum(left.r, right.r), column = two_sum(below.r, above.r);
    vec2 sum = two_sum(row.r, column.r);
    precise float low = ((left.g + right.g) + row.g) + ((below.g + above.g) + column.g);
    low = low + sum.g;
#ifdef RHS
    vec2 side = value(rhs, here);
    sum = two_sum(sum.r, side.r);
    low = low + (side.g + sum.g);
#endif
#ifdef SPIKE
    sum = two_sum(sum.r, float(here == origin + spike + 0.5));
    low = low + sum.g;
#endif
    vec2 relaxed = 0.25 * quick_sum(sum.r, low);
#ifdef WEIGHTED
    vec2 old = value(x, here);
    relaxed = add(old, multiply(weight[0], add(relaxed, -old)));
#endif
    gl_FragColor = vec4(relaxed, 0.0, 0.0);
}
