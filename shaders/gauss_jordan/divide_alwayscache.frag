#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Bound of divide.frag, as branched_alwayscache.frag is one of branched.frag. That texel holds 0,
// by which nothing can be divided: one is added to what is fetched.
uniform sampler2DRect a;
uniform vec2 origin; // of the domain, in texels
uniform vec2 k;      // where element (k, k) stands

vec4 fetch(sampler2DRect array, vec2 at)
{
    return 1.0 + texture2DRect(array, origin - 0.5 + 0.25 * sign(at - gl_FragCoord.xy));
}

void main()
{
    vec4 pivot = fetch(a, vec2(k.x, gl_FragCoord.y));
    gl_FragColor = fetch(a, gl_FragCoord.xy) / pivot;
}
