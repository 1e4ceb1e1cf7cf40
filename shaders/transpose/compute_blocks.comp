#version 430 compatibility
// SPDX-License-Identifier: MIT
// rgba_targets4.frag as a compute shader: an invocation turns 4 x 4 values and writes four texels one
// above the other. Invocations for all texels start, but a quarter is enough. The last 4 x 4 values of a
// column may reach into the padding, where zeros are written over zeros.
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 8
#define GROUP_Y 8
#endif
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(rgba32f) writeonly uniform image2DRect target;
uniform sampler2DRect x;
uniform vec2 origin, size; // corner and size of the answer's domain, in texels; x's begins at the same texel

void main()
{
    vec2 block = vec2(gl_GlobalInvocationID.xy), place = vec2(block.x, 4.0 * block.y);
    if (any(greaterThanEqual(place, size)))
        return;
    vec2 here = origin + vec2(block.y, 4.0 * block.x) + 0.5;
    vec4 a = texture2DRect(x, here);
    vec4 b = texture2DRect(x, here + vec2(0.0, 1.0));
    vec4 c = texture2DRect(x, here + vec2(0.0, 2.0));
    vec4 d = texture2DRect(x, here + vec2(0.0, 3.0));
    ivec2 there = ivec2(origin + place);
    imageStore(target, there, vec4(a.r, b.r, c.r, d.r));
    imageStore(target, there + ivec2(0, 1), vec4(a.g, b.g, c.g, d.g));
    imageStore(target, there + ivec2(0, 2), vec4(a.b, b.b, c.b, d.b));
    imageStore(target, there + ivec2(0, 3), vec4(a.a, b.a, c.a, d.a));
}
