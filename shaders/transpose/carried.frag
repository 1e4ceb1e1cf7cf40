#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Where the value stands was said by the vertices.
uniform sampler2DRect x;

void main()
{
    gl_FragColor = texture2DRect(x, gl_TexCoord[0].xy);
}
