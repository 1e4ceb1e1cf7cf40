#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// restrict.frag with four nodes of a row a texel. EQUAL: where the weights are 1/2, 1 and 1/2, and the matrix has equal
// rows. ONLY: not over the diagonal.
uniform sampler2DRect x;
#ifdef EQUAL
uniform float weight; // 1 over the diagonal
#else
uniform sampler2DRect weights_across, weights_up; // four weights of each coarse column, and of each row
uniform sampler2DRect bands;                      // the coarse matrix, as in relax_rgba.frag
uniform float apart;
uniform vec2 repeated;
#endif
uniform vec2 rim; // 1 where x is 0 beyond the fine grid's first node, across and up

#ifdef EQUAL
vec4 column_sum(vec2 first)
{
    return 0.5 * (texture2DRect(x, first) + texture2DRect(x, first + vec2(0.0, 2.0))) +
           texture2DRect(x, first + vec2(0.0, 1.0));
}
#else
vec4 up;

vec4 column_sum(vec2 first)
{
    return (up.x * texture2DRect(x, first) + up.y * texture2DRect(x, first + vec2(0.0, 1.0))) +
           (up.z * texture2DRect(x, first + vec2(0.0, 2.0)) + up.w * texture2DRect(x, first + vec2(0.0, 3.0)));
}

float node_sum(float k, vec4 nodes)
{
    return dot(texture2DRect(weights_across, vec2(4.0 * gl_FragCoord.x - 1.5 + k, 0.5)), nodes);
}
#endif

void main()
{
    vec2 node = gl_FragCoord.xy, first = 2.0 * (node - 0.5) + vec2(rim.x - 0.5, rim.y - 0.5);
    bool rimmed = rim.x > 0.0;
#ifdef EQUAL
    vec4 one = column_sum(first), two = column_sum(first + vec2(1.0, 0.0)), three = column_sum(first + vec2(2.0, 0.0));
    vec4 left = rimmed ? vec4(one.xz, two.xz) : vec4(one.w, two.yw, three.y);
    vec4 middle = rimmed ? vec4(one.yw, two.yw) : vec4(two.xz, three.xz);
    vec4 right = rimmed ? vec4(one.z, two.xz, three.x) : vec4(two.yw, three.yw);
    gl_FragColor = weight * (0.5 * (left + right) + middle);
#else
    up = texture2DRect(weights_up, vec2(node.y, 0.5));
    vec4 one = column_sum(first), two = column_sum(first + vec2(1.0, 0.0)), three = column_sum(first + vec2(2.0, 0.0));
    vec4 sum = vec4(node_sum(0.0, rimmed ? one : vec4(one.w, two.xyz)),
                    node_sum(1.0, rimmed ? vec4(one.zw, two.xy) : vec4(two.yzw, three.x)),
                    node_sum(2.0, rimmed ? two : vec4(two.w, three.xyz)),
                    node_sum(3.0, rimmed ? vec4(two.zw, three.xy)
                                         : vec4(three.yzw, column_sum(first + vec2(3.0, 0.0)).x)));
    float line = node.y - clamp(node.y - 0.5 - repeated.x, 0.0, repeated.y);
#ifdef ONLY
    gl_FragColor = sum;
#else
    gl_FragColor = sum / texture2DRect(bands, vec2(node.x + 8.0 * apart, line));
#endif
#endif
}
