#version 120
// SPDX-License-Identifier: MIT
// Bound of rgba.frag: its arithmetic without a single fetch (paper 2). In place of a fetch, values are made
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
    vec4 x_ll = fetch(x, here + vec2(-1.0, -1.0));
    vec4 x_ld = fetch(x, here + vec2(0.0, -1.0));
    vec4 x_lu = fetch(x, here + vec2(1.0, -1.0));
    vec4 x_dl = fetch(x, here + vec2(-1.0, 0.0));
    vec4 x_dd = fetch(x, here);
    vec4 x_du = fetch(x, here + vec2(1.0, 0.0));
    vec4 x_ul = fetch(x, here + vec2(-1.0, 1.0));
    vec4 x_ud = fetch(x, here + vec2(0.0, 1.0));
    vec4 x_uu = fetch(x, here + vec2(1.0, 1.0));

    vec4 sum = fetch(band_ll, here) * vec4(x_ll.a, x_ld.rgb)
             + fetch(band_ld, here) * x_ld
             + fetch(band_lu, here) * vec4(x_ld.gba, x_lu.r)
             + fetch(band_dl, here) * vec4(x_dl.a, x_dd.rgb)
             + fetch(band_du, here) * vec4(x_dd.gba, x_du.r)
             + fetch(band_ul, here) * vec4(x_ul.a, x_ud.rgb)
             + fetch(band_ud, here) * x_ud
             + fetch(band_uu, here) * vec4(x_ud.gba, x_uu.r);
    vec4 rest = fetch(rhs, here) - sum;
    gl_FragColor = (1.0 - weight) * x_dd + weight * rest / fetch(band_dd, here);
}
