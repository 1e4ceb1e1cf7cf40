#version 430 compatibility
// SPDX-License-Identifier: MIT
// restrict_rgba.frag as a compute shader, for any weights.
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 16
#define GROUP_Y 16
#endif
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(rgba32f) writeonly uniform image2DRect target;
uniform sampler2DRect x;
uniform sampler2DRect weights_across, weights_up; // four weights of each coarse column, and of each row
uniform sampler2DRect bands;                      // the coarse matrix, as in relax.comp
uniform float apart;
uniform vec2 repeated;
uniform vec2 rim;  // 1 where x is 0 beyond the fine grid's first node, across and up
uniform vec2 size; // texels of the coarse grid

vec4 up;

vec4 column_sum(vec2 first)
{
    return (up.x * texture2DRect(x, first) + up.y * texture2DRect(x, first + vec2(0.0, 1.0))) +
           (up.z * texture2DRect(x, first + vec2(0.0, 2.0)) + up.w * texture2DRect(x, first + vec2(0.0, 3.0)));
}

float node_sum(float column, vec4 nodes)
{
    return dot(texture2DRect(weights_across, vec2(column, 0.5)), nodes);
}

void main()
{
    vec2 node = vec2(gl_GlobalInvocationID.xy) + 0.5, first = 2.0 * (node - 0.5) + vec2(rim.x - 0.5, rim.y - 0.5);
    if (any(greaterThan(node, size)))
        return;
    up = texture2DRect(weights_up, vec2(node.y, 0.5));
    float column = 4.0 * node.x - 1.5;
    vec4 one = column_sum(first), two = column_sum(first + vec2(1.0, 0.0)), three = column_sum(first + vec2(2.0, 0.0));
    vec4 sum;
    if (rim.x > 0.0)
        sum = vec4(node_sum(column, one), node_sum(column + 1.0, vec4(one.zw, two.xy)), node_sum(column + 2.0, two),
                   node_sum(column + 3.0, vec4(two.zw, three.xy)));
    else
        sum = vec4(node_sum(column, vec4(one.w, two.xyz)), node_sum(column + 1.0, vec4(two.yzw, three.x)),
                   node_sum(column + 2.0, vec4(two.w, three.xyz)),
                   node_sum(column + 3.0, vec4(three.yzw, column_sum(first + vec2(3.0, 0.0)).x)));
    float line = node.y - clamp(node.y - 0.5 - repeated.x, 0.0, repeated.y);
    imageStore(target, ivec2(node), sum / texture2DRect(bands, vec2(node.x + 8.0 * apart, line)));
}
