#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The row with the largest element of column k into a texture of its own.
uniform sampler2DRect a;
uniform sampler2DRect found; // distance from row k down to the pivot's row, in b
uniform vec2 k;              // centre of element (k, k), in texels

void main()
{
    float below = texture2DRect(found, vec2(0.5)).b;
    gl_FragColor = texture2DRect(a, vec2(gl_FragCoord.x, k.y + below));
}
