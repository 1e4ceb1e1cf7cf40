#version 420 compatibility
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// rgba_abreast.frag with four texels of one band side by side, then four of the next: each fetch of
// a stamp, 4 x 4 fragments, finds its texels in whole cache lines. x comes by imageLoad, which
// llvmpipe compiles inline; a texture fetch is a call there.
layout(rgba32f) readonly uniform image2DRect x;
uniform sampler2DRect bands; // texel 4 (9 (X / 4) + k) + X % 4: LL LD LU DL DU UL UD UU b, all over DD
uniform vec2 origin;         // corner of x's domain, in texels; the bands' domain begins at (4, 1)
uniform float weight;

void main()
{
    vec2 cell = gl_FragCoord.xy - origin;
    vec2 band = vec2(cell.x + 32.0 * floor(0.25 * cell.x) + 4.0, cell.y + 1.0);
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec4 x_ll = imageLoad(x, here + ivec2(-1, -1));
    vec4 x_ld = imageLoad(x, here + ivec2(0, -1));
    vec4 x_lu = imageLoad(x, here + ivec2(1, -1));
    vec4 x_dl = imageLoad(x, here + ivec2(-1, 0));
    vec4 x_dd = imageLoad(x, here);
    vec4 x_du = imageLoad(x, here + ivec2(1, 0));
    vec4 x_ul = imageLoad(x, here + ivec2(-1, 1));
    vec4 x_ud = imageLoad(x, here + ivec2(0, 1));
    vec4 x_uu = imageLoad(x, here + ivec2(1, 1));

    // A statement for each band: Mesa would balance a long sum and fetch all nine terms before it adds the first.
    vec4 sum = texture2DRect(bands, band) * vec4(x_ll.a, x_ld.rgb);
    sum += texture2DRect(bands, band + vec2(4.0, 0.0)) * x_ld;
    sum += texture2DRect(bands, band + vec2(8.0, 0.0)) * vec4(x_ld.gba, x_lu.r);
    sum += texture2DRect(bands, band + vec2(12.0, 0.0)) * vec4(x_dl.a, x_dd.rgb);
    sum += texture2DRect(bands, band + vec2(16.0, 0.0)) * vec4(x_dd.gba, x_du.r);
    sum += texture2DRect(bands, band + vec2(20.0, 0.0)) * vec4(x_ul.a, x_ud.rgb);
    sum += texture2DRect(bands, band + vec2(24.0, 0.0)) * x_ud;
    sum += texture2DRect(bands, band + vec2(28.0, 0.0)) * vec4(x_ud.gba, x_uu.r);
    vec4 rest = texture2DRect(bands, band + vec2(32.0, 0.0)) - sum;
    gl_FragColor = (1.0 - weight) * x_dd + weight * rest;
}
