#version 120
// SPDX-License-Identifier: MIT
// Bound of divide.frag: its arithmetic without a fetch. What a fetch would have brought is made of its
// coordinates and uniforms: no compiler can know it beforehand.
uniform vec2 k;      // where element (k, k) stands
uniform vec2 origin; // of the domain, in texels

vec4 fetch(vec2 at)
{
    return at.x * at.y * vec4(k, origin);
}

void main()
{
    vec4 pivot = fetch(vec2(k.x, gl_FragCoord.y));
    gl_FragColor = fetch(gl_FragCoord.xy) / pivot;
}
