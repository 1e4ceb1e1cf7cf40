#version 430 compatibility
// SPDX-License-Identifier: MIT
// Writes the identity to the left of x, over the factors, as Gauss-Jordan leaves it.
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 16
#define GROUP_Y 16
#endif
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(r32f) writeonly uniform image2DRect a;
uniform vec2 origin; // corner of the matrix in a
uniform int n;

void main()
{
    ivec2 here = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(here, ivec2(n))))
        imageStore(a, ivec2(origin) + here, vec4(here.x == here.y));
}
