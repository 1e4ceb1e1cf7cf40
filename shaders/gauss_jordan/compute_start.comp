#version 430 compatibility
// SPDX-License-Identifier: MIT
// Copies the original matrix, to be eliminated in place; the first block's columns go to the panel, transposed:
// x is the row.
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 16
#define GROUP_Y 16
#endif
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(r32f) writeonly uniform image2DRect a;
layout(r32f) readonly uniform image2DRect source;
layout(r32f) writeonly uniform image2DRect next;
uniform vec2 origin; // corner of the matrix in both images
uniform int columns; // columns of the block
uniform int n;       // rows of the matrix
uniform int width;   // columns of the matrix with its right-hand sides

void main()
{
    ivec2 here = ivec2(gl_GlobalInvocationID.xy);
    if (here.x >= width || here.y >= n)
        return;
    vec4 value = imageLoad(source, ivec2(origin) + here);
    if (here.x < columns)
        imageStore(next, here.yx, value);
    else
        imageStore(a, ivec2(origin) + here, value);
}
