#version 120
// SPDX-License-Identifier: MIT
// Bound of divide.frag, as branched_notex.frag is one of branched.frag.
// After paper 2, 'Provide breakdown of bottlenecks', which prints no program.
const float a = 0.0;
uniform vec2 origin; // corner of the domain, in texels
uniform vec2 k;      // centre of element (k, k), in texels

vec4 fetch(float array, vec2 at)
{
    return at.x * at.y * vec4(k, origin) + array;
}

void main()
{
    vec4 pivot = fetch(a, vec2(k.x, gl_FragCoord.y));
    gl_FragColor = fetch(a, gl_FragCoord.xy) / pivot;
}
