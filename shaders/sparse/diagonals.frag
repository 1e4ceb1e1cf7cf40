// SPDX-License-Identifier: MIT
// Product with a matrix by diagonals, unrolled. PRODUCT, a line in front, fetches each texel of x that it needs once,
// and adds each diagonal times four unknowns, which lie in one texel or in two: src/lab/sparse/product.c.

// A texel of x: before column `end` of a row at distance (right, up) from here, from there on at distance (back, next).
#define FETCH(texel, end, right, up, back, next) vec4 texel = x_cell(here + (here.x < end ? vec2(right, up) : vec2(back, next)));
// Diagonal d of `count`.
#define ADD(count, d, unknowns) sum += a_cell(vec2(count * here.x + d, here.y)) * unknowns;

vec4 kernel(vec2 here)
{
    vec4 sum = vec4(0.0);
    PRODUCT
    return sum;
}
