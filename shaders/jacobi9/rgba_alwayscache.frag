#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Bound of rgba.frag: it makes all its fetches, but always of one and the same texel of each array, so that the cache
// always hits (paper 2). The texel is padding, below and left of the domain's first. No draw writes it, so a cell with
// the right value was computed from it. The parts of each uniform are equal, but no compiler knows that: the nine
// fetches of x stay nine, and their places cost no arithmetic.
// After paper 2, 'Provide breakdown of bottlenecks', which prints no program, for one of paper 3.
uniform sampler2DRect x;
uniform sampler2DRect band_ll, band_ld, band_lu;
uniform sampler2DRect band_dl, band_du;
uniform sampler2DRect band_ul, band_ud, band_uu;
uniform sampler2DRect rhs;
uniform sampler2DRect band_dd;
uniform vec4 same_x, same_y; // coordinates of that texel
uniform float weight;

void main()
{
    vec2 here = vec2(same_x.y, same_y.y);
    vec4 x_ll = texture2DRect(x, vec2(same_x.x, same_y.x));
    vec4 x_ld = texture2DRect(x, vec2(same_x.y, same_y.x));
    vec4 x_lu = texture2DRect(x, vec2(same_x.z, same_y.x));
    vec4 x_dl = texture2DRect(x, vec2(same_x.x, same_y.y));
    vec4 x_dd = texture2DRect(x, here);
    vec4 x_du = texture2DRect(x, vec2(same_x.z, same_y.y));
    vec4 x_ul = texture2DRect(x, vec2(same_x.x, same_y.z));
    vec4 x_ud = texture2DRect(x, vec2(same_x.y, same_y.z));
    vec4 x_uu = texture2DRect(x, vec2(same_x.z, same_y.z));

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
