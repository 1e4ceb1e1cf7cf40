#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Bound of luminance.frag: it makes all its fetches, but always of one and the same texel of each array, so that the
// cache always hits (paper 2). The texel is padding, below and left of the domain's first. No draw writes it, so a
// cell with the right value was computed from it. The parts of each uniform are equal, but no compiler knows that: the
// nine fetches of x stay nine, and their places cost no arithmetic.
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
    float old = texture2DRect(x, here).x;
    float sum = texture2DRect(band_ll, here).x * texture2DRect(x, vec2(same_x.x, same_y.x)).x
              + texture2DRect(band_ld, here).x * texture2DRect(x, vec2(same_x.y, same_y.x)).x
              + texture2DRect(band_lu, here).x * texture2DRect(x, vec2(same_x.z, same_y.x)).x
              + texture2DRect(band_dl, here).x * texture2DRect(x, vec2(same_x.x, same_y.y)).x
              + texture2DRect(band_du, here).x * texture2DRect(x, vec2(same_x.z, same_y.y)).x
              + texture2DRect(band_ul, here).x * texture2DRect(x, vec2(same_x.x, same_y.z)).x
              + texture2DRect(band_ud, here).x * texture2DRect(x, vec2(same_x.y, same_y.z)).x
              + texture2DRect(band_uu, here).x * texture2DRect(x, vec2(same_x.z, same_y.z)).x;
    float rest = texture2DRect(rhs, here).x - sum;
    gl_FragColor = vec4((1.0 - weight) * old + weight * rest / texture2DRect(band_dd, here).x);
}
