#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Moves a draw from row k to the pivot's row: the host never learns which row that is.
uniform sampler2DRect found; // distance from row k down to the pivot's row, in b

void main()
{
    float below = texture2DRect(found, vec2(0.5)).b;
    gl_Position = gl_ModelViewProjectionMatrix * (gl_Vertex + vec4(0.0, below, 0.0, 0.0));
}
