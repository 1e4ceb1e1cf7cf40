#version 120
// SPDX-License-Identifier: MIT
// Bound of rgba_targets.frag: its arithmetic without a single fetch (paper 2). In place of a fetch, values are
// made of its coordinates, the array's number and uniforms: no compiler can know them before the run, and all
// values are different.
const float x[8] = float[8](0.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0);
const float band_ll = 1.0, band_ld = 2.0, band_lu = 3.0;
const float band_dl = 4.0, band_du = 5.0;
const float band_ul = 6.0, band_ud = 7.0, band_uu = 8.0;
const float rhs = 9.0;
uniform vec2 origin, size; // corner of the domain in one sheet and its size, in texels
uniform float weight;

struct row {
    vec4 left, middle, right;
};

vec4 fetch(float array, vec2 at)
{
    return at.x * at.y * vec4(weight, size, origin.y) + array;
}

row row_of(float sheet, vec2 here)
{
    return row(fetch(sheet, here + vec2(-1.0, 0.0)),
               fetch(sheet, here),
               fetch(sheet, here + vec2(1.0, 0.0)));
}

// Row r of the eight, between the one below and the one above.
vec4 update(row below, row beside, row above, float r)
{
    vec2 band = vec2(gl_FragCoord.x, gl_FragCoord.y + r * (size.y + 4.0));
    vec4 sum = fetch(band_ll, band) * vec4(below.left.a, below.middle.rgb);
    sum += fetch(band_ld, band) * below.middle;
    sum += fetch(band_lu, band) * vec4(below.middle.gba, below.right.r);
    sum += fetch(band_dl, band) * vec4(beside.left.a, beside.middle.rgb);
    sum += fetch(band_du, band) * vec4(beside.middle.gba, beside.right.r);
    sum += fetch(band_ul, band) * vec4(above.left.a, above.middle.rgb);
    sum += fetch(band_ud, band) * above.middle;
    sum += fetch(band_uu, band) * vec4(above.middle.gba, above.right.r);
    vec4 rest = fetch(rhs, band) - sum;
    return (1.0 - weight) * beside.middle + weight * rest;
}

void main()
{
    vec2 here = gl_FragCoord.xy;
    row below = row_of(x[7], here - vec2(0.0, 1.0));
    row x0 = row_of(x[0], here);
    row x1 = row_of(x[1], here);
    row x2 = row_of(x[2], here);
    row x3 = row_of(x[3], here);
    row x4 = row_of(x[4], here);
    row x5 = row_of(x[5], here);
    row x6 = row_of(x[6], here);
    row x7 = row_of(x[7], here);
    row above = row_of(x[0], here + vec2(0.0, 1.0));
    gl_FragData[0] = update(below, x0, x1, 0.0);
    gl_FragData[1] = update(x0, x1, x2, 1.0);
    gl_FragData[2] = update(x1, x2, x3, 2.0);
    gl_FragData[3] = update(x2, x3, x4, 3.0);
    gl_FragData[4] = update(x3, x4, x5, 4.0);
    gl_FragData[5] = update(x4, x5, x6, 5.0);
    gl_FragData[6] = update(x5, x6, x7, 6.0);
    gl_FragData[7] = update(x6, x7, above, 7.0);
}
