#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// A pair with its second part three times as large.
uniform sampler2DRect x;

void main()
{
    gl_FragColor = texture2DRect(x, gl_FragCoord.xy) * vec4(1.0, 3.0, 1.0, 1.0);
}
