#version 420 compatibility
// SPDX-License-Identifier: MIT
// Moves the quad by the constant from the lowest row of layer 1, and back by the value that it should have. If the
// constant went to fragments, llvmpipe would have to compile code for such inputs.
layout(rgba32f) readonly uniform image2DArray x;

void main()
{
    float constant = imageLoad(x, ivec3(1, 0, 1)).r;
    gl_Position = gl_ModelViewProjectionMatrix * (gl_Vertex + vec4(constant + 62.5, 0.0, 0.0, 0.0));
}
