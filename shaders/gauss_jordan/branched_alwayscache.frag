#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Bound of branched.frag: all its fetches, but of one and the same texel, so that the cache always
// hits (paper 2). It is the padding below and left of the domain's first: nobody writes it, so each
// cell that is right was written from there. A quarter of a texel to the side where a fetch would
// have been, which rounds away, keeps three fetches three.
uniform sampler2DRect a;
uniform vec2 origin; // of the domain, in texels
uniform vec2 k;      // where element (k, k) stands

vec4 fetch(sampler2DRect array, vec2 at)
{
    return texture2DRect(array, origin - 0.5 + 0.25 * sign(at - gl_FragCoord.xy));
}

void main()
{
    if (gl_FragCoord.y == k.y)
        discard;
    vec4 factor = fetch(a, vec2(k.x, gl_FragCoord.y));
    vec4 above = fetch(a, vec2(gl_FragCoord.x, k.y));
    gl_FragColor = fetch(a, gl_FragCoord.xy) - factor * above;
}
