#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Bound of luminance.frag: all its fetches, but of every array one and the same texel, so that the cache always
// hits (paper 2). It is the padding below and left of the domain's first: nobody writes it, so each cell that
// is right was written from there. A quarter of a texel between neighbours, which rounds away, keeps the nine
// fetches of x nine.
uniform sampler2DRect x;
uniform sampler2DRect band_ll, band_ld, band_lu;
uniform sampler2DRect band_dl, band_du;
uniform sampler2DRect band_ul, band_ud, band_uu;
uniform sampler2DRect rhs;
uniform sampler2DRect band_dd;
uniform vec2 origin; // of the domain, in texels
uniform float weight;

vec4 fetch(sampler2DRect array, vec2 at)
{
    return texture2DRect(array, origin - 0.5 + 0.25 * (at - gl_FragCoord.xy));
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
