#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Fetches at the place that the vertices computed.
uniform sampler2DRect x;

void main()
{
    gl_FragColor = texture2DRect(x, gl_TexCoord[0].xy);
}
