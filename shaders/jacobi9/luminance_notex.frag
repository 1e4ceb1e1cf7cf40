#version 120
// SPDX-License-Identifier: MIT
// Bound of luminance.frag: its arithmetic without a single fetch (paper 2). In place of a fetch, values are made
// of its coordinates, the array's number and uniforms: no compiler can know them before the run, and all values
// are different.
// After paper 2, 'Provide breakdown of bottlenecks', which prints no program, for one of paper 3.
const float x = 0.0;
const float band_ll = 1.0, band_ld = 2.0, band_lu = 3.0;
const float band_dl = 4.0, band_du = 5.0;
const float band_ul = 6.0, band_ud = 7.0, band_uu = 8.0;
const float rhs = 9.0;
const float band_dd = 10.0;
uniform vec2 origin; // corner of the domain, in texels
uniform vec2 size;   // texels of the domain, across and up
uniform float weight;

vec4 fetch(float array, vec2 at)
{
    return at.x * at.y * vec4(weight, size, origin.y) + array;
}

void main()
{
    vec2 here = gl_FragCoord.xy;
    float old = fetch(x, here).x;
    float sum = fetch(band_ll, here).x * fetch(x, here + vec2(-1.0, -1.0)).x
              + fetch(band_ld, here).x * fetch(x, here + vec2(0.0, -1.0)).x
              + fetch(band_lu, here).x * fetch(x, here + vec2(1.0, -1.0)).x
              + fetch(band_dl, here).x * fetch(x, here + vec2(-1.0, 0.0)).x
              + fetch(band_du, here).x * fetch(x, here + vec2(1.0, 0.0)).x
              + fetch(band_ul, here).x * fetch(x, here + vec2(-1.0, 1.0)).x
              + fetch(band_ud, here).x * fetch(x, here + vec2(0.0, 1.0)).x
              + fetch(band_uu, here).x * fetch(x, here + vec2(1.0, 1.0)).x;
    float rest = fetch(rhs, here).x - sum;
    gl_FragColor = vec4((1.0 - weight) * old + weight * rest / fetch(band_dd, here).x);
}
