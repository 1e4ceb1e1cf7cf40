#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// rgba.frag with the rows of x dealt out to eight textures, row 8 Y + r to the r-th. A fragment
// updates one texel in each of eight render targets, and neighbouring rows share fetched texels
// of x.
uniform sampler2DRect x[8];
uniform sampler2DRect band_ll, band_ld, band_lu; // all over DD; sheets one above the other
uniform sampler2DRect band_dl, band_du;
uniform sampler2DRect band_ul, band_ud, band_uu;
uniform sampler2DRect rhs;
uniform vec2 size; // texels of the domain in one sheet, across and up; two more rows on each side are padding and guards
uniform float weight;

struct row {
    vec4 left, middle, right;
};

row row_of(sampler2DRect sheet, vec2 here)
{
    return row(texture2DRect(sheet, here + vec2(-1.0, 0.0)),
               texture2DRect(sheet, here),
               texture2DRect(sheet, here + vec2(1.0, 0.0)));
}

// Row r of the eight, between the one below and the one above.
vec4 update(row below, row beside, row above, float r)
{
    vec2 band = vec2(gl_FragCoord.x, gl_FragCoord.y + r * (size.y + 4.0));
    vec4 sum = texture2DRect(band_ll, band) * vec4(below.left.a, below.middle.rgb);
    sum += texture2DRect(band_ld, band) * below.middle;
    sum += texture2DRect(band_lu, band) * vec4(below.middle.gba, below.right.r);
    sum += texture2DRect(band_dl, band) * vec4(beside.left.a, beside.middle.rgb);
    sum += texture2DRect(band_du, band) * vec4(beside.middle.gba, beside.right.r);
    sum += texture2DRect(band_ul, band) * vec4(above.left.a, above.middle.rgb);
    sum += texture2DRect(band_ud, band) * above.middle;
    sum += texture2DRect(band_uu, band) * vec4(above.middle.gba, above.right.r);
    vec4 rest = texture2DRect(rhs, band) - sum;
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
