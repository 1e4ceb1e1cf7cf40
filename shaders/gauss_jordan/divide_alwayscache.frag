#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Bound of divide.frag: both its fetches, but of one and the same texel, as in branched_alwayscache.frag.
// That holds 0, so one is added to both, which leaves row k a mark.
uniform sampler2DRect a;
uniform vec2 origin; // of the domain, in texels

vec4 fetch(float apart)
{
    return texture2DRect(a, origin - 0.5 + vec2(apart, 0.0));
}

void main()
{
    vec4 pivot = 1.0 + fetch(0.25);
    gl_FragColor = (1.0 + fetch(0.0)) / pivot;
}
