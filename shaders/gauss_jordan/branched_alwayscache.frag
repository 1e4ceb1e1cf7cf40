#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Bound of branched.frag: all its fetches, but of one and the same texel, so that the cache always hits
// (paper 2). It is the padding below and left of the domain's first: nobody writes it, so each cell that is
// right was written from there. A quarter of a texel between them, which rounds away, keeps three
// fetches three.
uniform sampler2DRect a;
uniform vec2 k;      // where element (k, k) stands
uniform vec2 origin; // of the domain, in texels

vec4 fetch(vec2 apart)
{
    return texture2DRect(a, origin - 0.5 + apart);
}

void main()
{
    if (gl_FragCoord.y == k.y)
        discard;
    vec4 factor = fetch(vec2(0.25, 0.0));
    vec4 above = fetch(vec2(0.0, 0.25));
    gl_FragColor = fetch(vec2(0.0)) - factor * above;
}
