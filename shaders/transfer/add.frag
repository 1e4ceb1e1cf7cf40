#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The kernel between two transfers: 1024 additions, each of which needs the addition before.
uniform sampler2DRect x;
uniform float one;

void main()
{
    float sum = texture2DRect(x, gl_FragCoord.xy).r;
    for (int k = 0; k < 1024; k++)
        sum += one;
    gl_FragColor = vec4(sum);
}
