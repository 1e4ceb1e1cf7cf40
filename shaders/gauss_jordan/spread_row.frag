#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Copies a row from its own texture into the matrix.
uniform sampler2DRect row;

void main()
{
    gl_FragColor = texture2DRect(row, vec2(gl_FragCoord.x, 0.5));
}
