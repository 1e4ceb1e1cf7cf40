#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Five bands of a symmetric matrix: an entry that couples two cells is stored with the cell that is
// earlier in the vector.
// After paper 3, section 8, which prints no program (its shaders are GLSL).
uniform sampler2DRect x;
uniform sampler2DRect band_dd, band_du;
uniform sampler2DRect band_ul, band_ud, band_uu;
uniform sampler2DRect rhs;
uniform float weight;

void main()
{
    vec2 here = gl_FragCoord.xy;
    vec2 ll = here + vec2(-1.0, -1.0);
    vec2 ld = here + vec2(0.0, -1.0);
    vec2 lu = here + vec2(1.0, -1.0);
    vec2 dl = here + vec2(-1.0, 0.0);
    float old = texture2DRect(x, here).x;
    float sum = texture2DRect(band_uu, ll).x * texture2DRect(x, ll).x
              + texture2DRect(band_ud, ld).x * texture2DRect(x, ld).x
              + texture2DRect(band_ul, lu).x * texture2DRect(x, lu).x
              + texture2DRect(band_du, dl).x * texture2DRect(x, dl).x
              + texture2DRect(band_du, here).x * texture2DRect(x, here + vec2(1.0, 0.0)).x
              + texture2DRect(band_ul, here).x * texture2DRect(x, here + vec2(-1.0, 1.0)).x
              + texture2DRect(band_ud, here).x * texture2DRect(x, here + vec2(0.0, 1.0)).x
              + texture2DRect(band_uu, here).x * texture2DRect(x, here + vec2(1.0, 1.0)).x;
    float rest = texture2DRect(rhs, here).x - sum;
    gl_FragColor = vec4((1.0 - weight) * old + weight * rest / texture2DRect(band_dd, here).x);
}
