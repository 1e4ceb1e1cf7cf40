#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Bound of copy.frag: its fetch, but always of one and the same texel, as in branched_alwayscache.frag.
uniform sampler2DRect a;
uniform vec2 origin; // of the domain, in texels

void main()
{
    gl_FragColor = texture2DRect(a, origin - 0.5);
}
