#version 420 compatibility
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
layout(rgba32f) readonly uniform image2DRect x;

void main()
{
    gl_FragColor = imageLoad(x, ivec2(gl_FragCoord.xy)) + vec4(1.0);
}
