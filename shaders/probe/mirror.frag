#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The mirror image, 128 texels wide, plus 1: source and target are the same texture.
uniform sampler2DRect x;

void main()
{
    gl_FragColor = texture2DRect(x, vec2(128.0 - gl_FragCoord.x, gl_FragCoord.y)) + 1.0;
}
