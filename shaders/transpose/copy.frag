#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The roof, an upper bound of passes that transpose: one texel in, one out, at the same place.
uniform sampler2DRect x;

void main()
{
    gl_FragColor = texture2DRect(x, gl_FragCoord.xy);
}
