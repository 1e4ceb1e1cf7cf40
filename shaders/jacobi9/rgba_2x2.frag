#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// A square of 2 x 2 cells in each texel: r and g in the lower row, b and a in the upper. Each of the
// eight neighbouring squares lends no, one or two of its cells to every shifted neighbour.
// After a remark of paper 1, 'Substantial performance improvement ...', which leaves it out as
// tedious and prints no program.
uniform sampler2DRect x;
uniform sampler2DRect band_ll, band_ld, band_lu;
uniform sampler2DRect band_dl, band_du;
uniform sampler2DRect band_ul, band_ud, band_uu;
uniform sampler2DRect rhs;
uniform sampler2DRect band_dd;
uniform float weight;

void main()
{
    vec2 here = gl_FragCoord.xy;
    vec4 x_ll = texture2DRect(x, here + vec2(-1.0, -1.0));
    vec4 x_ld = texture2DRect(x, here + vec2(0.0, -1.0));
    vec4 x_lu = texture2DRect(x, here + vec2(1.0, -1.0));
    vec4 x_dl = texture2DRect(x, here + vec2(-1.0, 0.0));
    vec4 x_dd = texture2DRect(x, here);
    vec4 x_du = texture2DRect(x, here + vec2(1.0, 0.0));
    vec4 x_ul = texture2DRect(x, here + vec2(-1.0, 1.0));
    vec4 x_ud = texture2DRect(x, here + vec2(0.0, 1.0));
    vec4 x_uu = texture2DRect(x, here + vec2(1.0, 1.0));

    vec4 diagonal = texture2DRect(band_dd, here);
    vec4 sum = diagonal * x_dd
             + texture2DRect(band_ll, here) * vec4(x_ll.a, x_ld.b, x_dl.g, x_dd.r)
             + texture2DRect(band_ld, here) * vec4(x_ld.ba, x_dd.rg)
             + texture2DRect(band_lu, here) * vec4(x_ld.a, x_lu.b, x_dd.g, x_du.r)
             + texture2DRect(band_dl, here) * vec4(x_dl.g, x_dd.r, x_dl.a, x_dd.b)
             + texture2DRect(band_du, here) * vec4(x_dd.g, x_du.r, x_dd.a, x_du.b)
             + texture2DRect(band_ul, here) * vec4(x_dl.a, x_dd.b, x_ul.g, x_ud.r)
             + texture2DRect(band_ud, here) * vec4(x_dd.ba, x_ud.rg)
             + texture2DRect(band_uu, here) * vec4(x_dd.a, x_du.b, x_ud.g, x_uu.r);
    vec4 rest = texture2DRect(rhs, here) - sum;
    gl_FragColor = x_dd + weight * rest / diagonal;
}
