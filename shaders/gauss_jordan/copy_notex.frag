#version 120
// SPDX-License-Identifier: MIT
// Bound of copy.frag, which without its fetch has nothing to copy but coordinates.
uniform vec2 k;      // where element (k, k) stands
uniform vec2 origin; // of the domain, in texels

vec4 fetch(vec2 at)
{
    return at.x * at.y * vec4(k, origin);
}

void main()
{
    gl_FragColor = fetch(gl_FragCoord.xy);
}
