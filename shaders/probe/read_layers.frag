#version 420 compatibility
// SPDX-License-Identifier: MIT
// The sum of layer 0 and the constant.
layout(rgba32f) readonly uniform image2DArray x;

void main()
{
    gl_FragColor = imageLoad(x, ivec3(ivec2(gl_FragCoord.xy), 0)) - 62.5;
}
