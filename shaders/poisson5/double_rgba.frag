#version 400 compatibility
// SPDX-License-Identifier: MIT
// double.frag with two cells a texel: r and g are the words of the left cell, b and a of the right cell.
uniform usampler2DRect x;
#ifdef RHS
uniform usampler2DRect rhs; // h^2 f
#endif
#ifdef RIM
uniform vec2 origin; // corner of the domain, in texels
uniform vec2 cells;  // cells of the grid, across and up
#endif
#ifdef SPIKE
uniform vec2 spike; // the cell with h^2 f = 1
#endif
#ifdef WEIGHTED
uniform double weight[1];
#endif
out uvec4 words;

dvec2 values_of(uvec4 texel)
{
    return dvec2(packDouble2x32(texel.rg), packDouble2x32(texel.ba));
}

void main()
{
    vec2 here = gl_FragCoord.xy;
    uvec4 at = texture(x, here);
    uvec4 before = texture(x, here + vec2(-1.0, 0.0)), behind = texture(x, here + vec2(1.0, 0.0));
    dvec2 left = values_of(uvec4(before.ba, at.rg)), right = values_of(uvec4(at.ba, behind.rg));
    dvec2 below = values_of(texture(x, here + vec2(0.0, -1.0)));
    dvec2 above = values_of(texture(x, here + vec2(0.0, 1.0)));
    precise dvec2 sum = (left + right) + (below + above);
#ifdef RHS
    sum += values_of(texture(rhs, here));
#endif
#ifdef RIM
    vec2 cell = here - origin - 0.5;
    vec2 column = 2.0 * cell.x + vec2(0.0, 1.0);
#endif
#ifdef SPIKE
    sum += dvec2(vec2(equal(column, vec2(spike.x))) * float(cell.y == spike.y));
#endif
    precise dvec2 relaxed = sum * 0.25LF;
#ifdef WEIGHTED
    dvec2 old = values_of(at);
    relaxed = old + weight[0] * (relaxed - old);
#endif
#ifdef RIM // the last texel of a row may reach beyond the grid
    relaxed *= dvec2(lessThan(column, vec2(cells.x)));
#endif
    words = uvec4(unpackDouble2x32(relaxed.x), unpackDouble2x32(relaxed.y));
}
