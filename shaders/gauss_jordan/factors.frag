#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Factors of the rows, with which row k is multiplied before it is subtracted: the row's element k over the pivot.
uniform sampler2DRect a;
uniform vec2 k; // centre of element (k, k)

void main()
{
    gl_FragColor = texture2DRect(a, vec2(k.x, gl_FragCoord.y)) / texture2DRect(a, k);
}
