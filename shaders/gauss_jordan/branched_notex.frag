#version 120
// SPDX-License-Identifier: MIT
// Bound of branched.frag: its branch and its arithmetic without a single fetch (paper
// 2). In place of a fetch, values are made of its coordinates and uniforms, which no
// compiler can know beforehand.
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
    if (gl_FragCoord.y == k.y)
        discard;
    vec4 factor = fetch(a, vec2(k.x, gl_FragCoord.y));
    vec4 above = fetch(a, vec2(gl_FragCoord.x, k.y));
    gl_FragColor = fetch(a, gl_FragCoord.xy) - factor * above;
}
