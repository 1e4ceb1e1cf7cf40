#version 120
// SPDX-License-Identifier: MIT
// Bound of branched.frag: its branch and its arithmetic without a single fetch (paper 2). What a fetch would
// have brought is made of its coordinates and uniforms: no compiler can know it beforehand.
uniform vec2 k;      // where element (k, k) stands
uniform vec2 origin; // of the domain, in texels

vec4 fetch(vec2 at)
{
    return at.x * at.y * vec4(k, origin);
}

void main()
{
    if (gl_FragCoord.y == k.y)
        discard;
    vec4 factor = fetch(vec2(k.x, gl_FragCoord.y));
    vec4 above = fetch(vec2(gl_FragCoord.x, k.y));
    gl_FragColor = fetch(gl_FragCoord.xy) - factor * above;
}
