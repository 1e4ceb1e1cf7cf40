#version 430 compatibility
// SPDX-License-Identifier: MIT
// rgba.frag with pre-divided bands, as a compute shader: an invocation for each texel, in groups, computes its
// own place and writes there. Groups may reach beyond the domain.
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 8
#define GROUP_Y 8
#endif
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(rgba32f) writeonly uniform image2DRect target;
uniform sampler2DRect x;
uniform sampler2DRect band_ll, band_ld, band_lu; // all over DD
uniform sampler2DRect band_dl, band_du;
uniform sampler2DRect band_ul, band_ud, band_uu;
uniform sampler2DRect rhs;
uniform vec2 origin, size; // corner of the domain and its size, in texels
uniform float weight;

void main()
{
    vec2 cell = vec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(cell, size)))
        return;
    vec2 here = cell + origin + 0.5;
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
    imageStore(target, ivec2(here), (1.0 - weight) * x_dd + weight * rest);
}
