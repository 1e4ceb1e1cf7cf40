#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The bands hold zeros where a neighbour is missing, so values beyond the border have no effect.
// After paper 3, section 5.1, figure 7: GLSL, of which it prints pieces. Changed: names; values are
// used where they are fetched; the order of the sum.
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
    float old = texture2DRect(x, here).x;
    float sum = texture2DRect(band_ll, here).x * texture2DRect(x, here + vec2(-1.0, -1.0)).x
              + texture2DRect(band_ld, here).x * texture2DRect(x, here + vec2(0.0, -1.0)).x
              + texture2DRect(band_lu, here).x * texture2DRect(x, here + vec2(1.0, -1.0)).x
              + texture2DRect(band_dl, here).x * texture2DRect(x, here + vec2(-1.0, 0.0)).x
              + texture2DRect(band_du, here).x * texture2DRect(x, here + vec2(1.0, 0.0)).x
              + texture2DRect(band_ul, here).x * texture2DRect(x, here + vec2(-1.0, 1.0)).x
              + texture2DRect(band_ud, here).x * texture2DRect(x, here + vec2(0.0, 1.0)).x
              + texture2DRect(band_uu, here).x * texture2DRect(x, here + vec2(1.0, 1.0)).x;
    float rest = texture2DRect(rhs, here).x - sum;
    gl_FragColor = vec4((1.0 - weight) * old + weight * rest / texture2DRect(band_dd, here).x);
}
