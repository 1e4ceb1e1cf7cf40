#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Bound of rgba.frag: all its fetches, but of every array one and the same texel, so that the cache always
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
