#version 420 compatibility
// SPDX-License-Identifier: MIT
// The constant from the lowest row of layer 1.
layout(rgba32f) readonly uniform image2DArray x;
flat out float constant;

void main()
{
    gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;
    constant = imageLoad(x, ivec3(1, 0, 1)).r;
}
