#version 430 compatibility
// SPDX-License-Identifier: MIT
// compute.comp with the bands side by side in one texture, as for rgba_abreast.frag.
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 8
#define GROUP_Y 8
#endif
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(rgba32f) writeonly uniform image2DRect target;
uniform sampler2DRect x;
uniform sampler2DRect bands; // texel 9 X + k: LL LD LU DL DU UL UD UU b, all over DD
uniform vec2 origin;         // corner of x's domain, in texels; the bands' domain begins at (1, 1)
uniform vec2 size;           // texels of x's domain, across and up
uniform float weight;

void main()
{
    vec2 cell = vec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(cell, size)))
        return;
    vec2 here = cell + origin + 0.5;
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

    vec4 sum = texture2DRect(bands, band) * vec4(x_ll.a, x_ld.rgb)
             + texture2DRect(bands, band + vec2(1.0, 0.0)) * x_ld
             + texture2DRect(bands, band + vec2(2.0, 0.0)) * vec4(x_ld.gba, x_lu.r)
             + texture2DRect(bands, band + vec2(3.0, 0.0)) * vec4(x_dl.a, x_dd.rgb)
             + texture2DRect(bands, band + vec2(4.0, 0.0)) * vec4(x_dd.gba, x_du.r)
             + texture2DRect(bands, band + vec2(5.0, 0.0)) * vec4(x_ul.a, x_ud.rgb)
             + texture2DRect(bands, band + vec2(6.0, 0.0)) * x_ud
             + texture2DRect(bands, band + vec2(7.0, 0.0)) * vec4(x_ud.gba, x_uu.r);
    vec4 rest = texture2DRect(bands, band + vec2(8.0, 0.0)) - sum;
    imageStore(target, ivec2(here), (1.0 - weight) * x_dd + weight * rest);
}
