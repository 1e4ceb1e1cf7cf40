#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Bound of branched.frag: it makes all its fetches, but always of one and the same texel, so that the
// cache always hits (paper 2). The texel is padding, below and left of the domain's first. No draw writes
// it, so a cell with the right value was computed from it. The parts of each uniform are equal, but no
// compiler knows that: three fetches stay three, and their places cost no arithmetic.
// After paper 2, 'Provide breakdown of bottlenecks', which prints no program.
uniform sampler2DRect a;
uniform vec4 same_x, same_y; // coordinates of that texel
uniform vec2 k;              // centre of element (k, k), in texels

void main()
{
    if (gl_FragCoord.y == k.y)
        discard;
    vec4 factor = texture2DRect(a, vec2(same_x.x, same_y.y));
    vec4 above = texture2DRect(a, vec2(same_x.y, same_y.x));
    gl_FragColor = texture2DRect(a, vec2(same_x.y, same_y.y)) - factor * above;
}
