#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Bound of copy.frag, as branched_alwayscache.frag is one of branched.frag.
uniform sampler2DRect a;
uniform vec2 origin; // of the domain, in texels

vec4 fetch(sampler2DRect array, vec2 at)
{
    return texture2DRect(array, origin - 0.5 + 0.25 * sign(at - gl_FragCoord.xy));
}

void main()
{
    gl_FragColor = fetch(a, gl_FragCoord.xy);
}
