#version 430 compatibility
// SPDX-License-Identifier: MIT
// Writes the value of coordinates.frag, by a compute shader into an image.
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 8
#define GROUP_Y 8
#endif
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(rgba32f) writeonly uniform image2DRect target;

void main()
{
    vec2 here = vec2(gl_GlobalInvocationID.xy) + 0.5;
    imageStore(target, ivec2(here), vec4(-1.25 * (here.x + 100.0 * here.y)));
}
