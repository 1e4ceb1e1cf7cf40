#version 430 compatibility
// SPDX-License-Identifier: MIT
// correct_rgba.frag as a compute shader, for any weights.
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 16
#define GROUP_Y 16
#endif
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(rgba32f) writeonly uniform image2DRect target;
uniform sampler2DRect x;
uniform sampler2DRect coarse;
uniform sampler2DRect shares_across, shares_up; // the coarse node before a column and a row, and both weights
uniform vec2 size;                              // texels of the grid

vec3 up;

// A coarse column of two rows, mixed.
float value(float column)
{
    float texel = floor(0.25 * column), k = column - 4.0 * texel;
    vec2 here = vec2(texel, up.x) + 0.5;
    vec4 mixed = up.y * texture2DRect(coarse, here) + up.z * texture2DRect(coarse, here + vec2(0.0, 1.0));
    return mixed[int(k)];
}

float at_node(float column)
{
    vec3 across = texture2DRect(shares_across, vec2(column, 0.5)).xyz;
    return across.y * value(across.x) + across.z * value(across.x + 1.0);
}

void main()
{
    vec2 node = vec2(gl_GlobalInvocationID.xy) + 0.5;
    if (any(greaterThan(node, size)))
        return;
    up = texture2DRect(shares_up, vec2(node.y, 0.5)).xyz;
    float column = 4.0 * node.x - 1.5;
    imageStore(target, ivec2(node),
               texture2DRect(x, node) +
                   vec4(at_node(column), at_node(column + 1.0), at_node(column + 2.0), at_node(column + 3.0)));
}
