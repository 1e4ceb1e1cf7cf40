#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
#extension GL_ARB_gpu_shader5 : require
// double_single.frag with two cells a texel: r + g is the left cell's value, b + a the right cell's.
uniform sampler2DRect x;
#ifdef RHS
uniform sampler2DRect rhs; // h^2 f
#endif
#ifdef RIM
uniform vec2 origin; // corner of the domain, in texels
uniform vec2 cells;  // cells of the grid, across and up
#endif
#ifdef SPIKE
uniform vec2 spike;  // the cell with h^2 f = 1
#endif
#ifdef WEIGHTED
uniform vec2 weight[1];
#endif

// Pairs of floats of two cells.
struct pairs {
    vec2 high, low;
};

pairs cells_of(vec4 texel)
{
    return pairs(texel.rb, texel.ga);
}

// Knuth: sums of two floats and their rounding errors.
pairs two_sum(vec2 a, vec2 b)
{
    precise vec2 sum = a + b;
    precise vec2 part = sum - a;
    precise vec2 lost = (a - (sum - part)) + (b - part);
    return pairs(sum, lost);
}

// Dekker: the same if |a| is the larger one, or if both are so small beside the result that the order does not matter.
pairs quick_sum(vec2 a, vec2 b)
{
    precise vec2 sum = a + b;
    precise vec2 lost = b - (sum - a);
    return pairs(sum, lost);
}

#ifdef WEIGHTED
pairs add(pairs a, pairs b)
{
    pairs sum = two_sum(a.high, b.high);
    precise vec2 low = sum.low + (a.low + b.low);
    return quick_sum(sum.high, low);
}

// Dekker: floats as sums of two floats with 12 digits each.
pairs split(vec2 a)
{
    precise vec2 c = 4097.0 * a;
    precise vec2 high = c - (c - a);
    precise vec2 low = a - high;
    return pairs(high, low);
}

pairs multiply(pairs a, pairs b)
{
    pairs p = split(a.high), q = split(b.high);
    precise vec2 product = a.high * b.high;
    precise vec2 lost = ((p.high * q.high - product) + p.high * q.low + p.low * q.high) + p.low * q.low;
    precise vec2 low = lost + (a.high * b.low + a.low * b.high);
    return quick_sum(product, low);
}
#endif

void main()
{
    vec2 here = gl_FragCoord.xy;
    vec4 old = texture2DRect(x, here);
    vec4 before = texture2DRect(x, here + vec2(-1.0, 0.0)), behind = texture2DRect(x, here + vec2(1.0, 0.0));
    pairs left = cells_of(vec4(before.ba, old.rg)), right = cells_of(vec4(old.ba, behind.rg));
    pairs below = cells_of(texture2DRect(x, here + vec2(0.0, -1.0)));
    pairs above = cells_of(texture2DRect(x, here + vec2(0.0, 1.0)));
    pairs row = two_sum(left.high, right.high), column = two_sum(below.high, above.high);
    pairs sum = two_sum(row.high, column.high);
    precise vec2 low = ((left.low + right.low) + row.low) + ((below.low + above.low) + column.low);
    low = low + sum.low;
#ifdef RHS
    pairs side = cells_of(texture2DRect(rhs, here));
    sum = two_sum(sum.high, side.high);
    low = low + (side.low + sum.low);
#endif
#ifdef RIM
    vec2 cell = here - origin - 0.5;
    vec2 column_of = 2.0 * cell.x + vec2(0.0, 1.0);
#endif
#ifdef SPIKE
    sum = two_sum(sum.high, vec2(equal(column_of, vec2(spike.x))) * float(cell.y == spike.y));
    low = low + sum.low;
#endif
    pairs relaxed = quick_sum(sum.high, low);
    relaxed = pairs(0.25 * relaxed.high, 0.25 * relaxed.low);
#ifdef WEIGHTED
    pairs present = cells_of(old);
    pairs change = add(relaxed, pairs(-present.high, -present.low));
    relaxed = add(present, multiply(pairs(vec2(weight[0].x), vec2(weight[0].y)), change));
#endif
#ifdef RIM
    vec2 inside = vec2(lessThan(column_of, vec2(cells.x)));
    relaxed = pairs(inside * relaxed.high, inside * relaxed.low);
#endif
    gl_FragColor = vec4(relaxed.high, relaxed.low).xzyw;
}
