#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Four cells of a row in each texel. The neighbours of four cells begin one cell before or after a
// texel, so swizzles put them together from two texels.
// After paper 3, section 5.2, figure 9: GLSL, of which it prints pieces. Changed: names, and new
// vectors where the paper moves channels of the old ones.
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

    vec4 sum = texture2DRect(band_ll, here) * vec4(x_ll.a, x_ld.rgb)
             + texture2DRect(band_ld, here) * x_ld
             + texture2DRect(band_lu, here) * vec4(x_ld.gba, x_lu.r)
             + texture2DRect(band_dl, here) * vec4(x_dl.a, x_dd.rgb)
             + texture2DRect(band_du, here) * vec4(x_dd.gba, x_du.r)
             + texture2DRect(band_ul, here) * vec4(x_ul.a, x_ud.rgb)
             + texture2DRect(band_ud, here) * x_ud
             + texture2DRect(band_uu, here) * vec4(x_ud.gba, x_uu.r);
    vec4 rest = texture2DRect(rhs, here) - sum;
    gl_FragColor = (1.0 - weight) * x_dd + weight * rest / texture2DRect(band_dd, here);
}
