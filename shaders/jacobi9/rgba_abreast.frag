#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// rgba.frag with the bands side by side in one texture, nine texels for each texel of x, divided by
// the diagonal before the run: a stamp of 4 x 4 fragments then walks through 4 streams of memory, not
// 36.
uniform sampler2DRect x;
uniform sampler2DRect bands; // texel 9 X + k: LL LD LU DL DU UL UD UU b, all over DD
uniform vec2 origin;         // corner of x's domain, in texels; the bands' domain begins at (1, 1)
uniform float weight;

void main()
{
    vec2 here = gl_FragCoord.xy;
    vec2 cell = here - origin - 0.5;
    vec2 band = vec2(9.0 * cell.x + 1.5, cell.y + 1.5);
    vec4 x_ll = texture2DRect(x, here + vec2(-1.0, -1.0));
    vec4 x_ld = texture2DRect(x, here + vec2(0.0, -1.0));
    vec4 x_lu = texture2DRect(x, here + vec2(1.0, -1.0));
    vec4 x_dl = texture2DRect(x, here + vec2(-1.0, 0.0));
    vec4 x_dd = texture2DRect(x, here);
    vec4 x_du = texture2DRect(x, here + vec2(1.0, 0.0));
    vec4 x_ul = texture2DRect(x, here + vec2(-1.0, 1.0));
    vec4 x_ud = texture2DRect(x, here + vec2(0.0, 1.0));
    vec4 x_uu = texture2DRect(x, here + vec2(1.0, 1.0));

    // A statement for each band: Mesa would balance a long sum and fetch all nine terms before it adds the first.
    vec4 sum = texture2DRect(bands, band) * vec4(x_ll.a, x_ld.rgb);
    sum += texture2DRect(bands, band + vec2(1.0, 0.0)) * x_ld;
    sum += texture2DRect(bands, band + vec2(2.0, 0.0)) * vec4(x_ld.gba, x_lu.r);
    sum += texture2DRect(bands, band + vec2(3.0, 0.0)) * vec4(x_dl.a, x_dd.rgb);
    sum += texture2DRect(bands, band + vec2(4.0, 0.0)) * vec4(x_dd.gba, x_du.r);
    sum += texture2DRect(bands, band + vec2(5.0, 0.0)) * vec4(x_ul.a, x_ud.rgb);
    sum += texture2DRect(bands, band + vec2(6.0, 0.0)) * x_ud;
    sum += texture2DRect(bands, band + vec2(7.0, 0.0)) * vec4(x_ud.gba, x_uu.r);
    vec4 rest = texture2DRect(bands, band + vec2(8.0, 0.0)) - sum;
    gl_FragColor = (1.0 - weight) * x_dd + weight * rest;
}
