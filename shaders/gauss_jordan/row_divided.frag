#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Row k divided by its element k into a texture of its own.
uniform sampler2DRect a;
uniform vec2 k; // centre of element (k, k), in texels

void main()
{
    gl_FragColor = texture2DRect(a, vec2(gl_FragCoord.x, k.y)) / texture2DRect(a, k);
}
