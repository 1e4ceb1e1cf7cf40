#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Adds one in place: source and target are the same texture.
uniform sampler2DRect x;

void main()
{
    gl_FragColor = texture2DRect(x, gl_FragCoord.xy) + 1.0;
}
