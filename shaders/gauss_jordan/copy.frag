#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Copies the texel in the same place of another surface.
uniform sampler2DRect a;

void main()
{
    gl_FragColor = texture2DRect(a, gl_FragCoord.xy);
}
