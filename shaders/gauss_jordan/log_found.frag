#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The pivot of column k and how far below row k it was found, for the host to look at in the end.
uniform sampler2DRect found;

void main()
{
    gl_FragColor = texture2DRect(found, vec2(0.5));
}
