#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Bound of branched.frag: all its fetches, but of one and the same texel, so that the cache always
// hits (paper 2). It is the padding below and left of the domain's first: nobody writes it, so each
// cell that is right was written from there. The parts of each uniform are alike, which no compiler
// knows: so three fetches stay three, and where they go costs no arithmetic.
// After paper 2, 'Provide breakdown of bottlenecks', which prints no program.
uniform sampler2DRect a;
uniform vec4 same_x, same_y; // where that texel is
uniform vec2 k;              // centre of element (k, k)

void main()
{
    if (gl_FragCoord.y == k.y)
        discard;
    vec4 factor = texture2DRect(a, vec2(same_x.x, same_y.y));
    vec4 above = texture2DRect(a, vec2(same_x.y, same_y.x));
    gl_FragColor = texture2DRect(a, vec2(same_x.y, same_y.y)) - factor * above;
}
