#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// correct.frag with four nodes of a row a texel. EQUAL: where each node is a coarse one or in the middle between two.
// ALONE: x is 0.
#ifdef ALONE
#define FINE vec4(0.0)
#else
#define FINE texture2DRect(x, gl_FragCoord.xy)
uniform sampler2DRect x;
#endif
uniform sampler2DRect coarse;
#ifdef EQUAL
uniform vec2 rim; // 1 where x is 0 beyond the first node, across and up
#else
uniform sampler2DRect shares_across, shares_up; // the coarse node before a column and a row, and both weights
#endif

#ifdef EQUAL
void main()
{
    vec2 node = gl_FragCoord.xy - 0.5;
    float column = floor(0.5 * node.x), place = node.y + rim.y, row = floor(0.5 * place);
    bool odd = node.x > 2.0 * column, rimmed = rim.x > 0.0;
    float half_up = 0.5 * (place - 2.0 * row);
    vec2 here = vec2(column, row - rim.y) + 0.5, beside = vec2(rimmed ? -1.0 : 1.0, 0.0), up = vec2(0.0, 1.0);
    vec4 at = mix(texture2DRect(coarse, here), texture2DRect(coarse, here + up), half_up);
    vec4 next = mix(texture2DRect(coarse, here + beside), texture2DRect(coarse, here + beside + up), half_up);
    vec3 three = rimmed ? (odd ? at.yzw : vec3(next.w, at.xy)) : (odd ? vec3(at.zw, next.x) : at.xyz);
    vec2 middle = 0.5 * (three.xy + three.yz);
    vec4 added = rimmed ? vec4(middle.x, three.y, middle.y, three.z) : vec4(three.x, middle.x, three.y, middle.y);
    gl_FragColor = FINE + added;
}
#else
float value(float column, float row)
{
    float texel = floor(0.25 * column);
    vec4 values = texture2DRect(coarse, vec2(texel + 0.5, row));
    float k = column - 4.0 * texel;
    return k < 1.5 ? (k < 0.5 ? values.x : values.y) : (k < 2.5 ? values.z : values.w);
}

vec3 up;

float at_node(float k)
{
    vec3 across = texture2DRect(shares_across, vec2(4.0 * gl_FragCoord.x - 1.5 + k, 0.5)).xyz;
    float row = up.x + 0.5;
    return up.y * (across.y * value(across.x, row) + across.z * value(across.x + 1.0, row)) +
           up.z * (across.y * value(across.x, row + 1.0) + across.z * value(across.x + 1.0, row + 1.0));
}

void main()
{
    up = texture2DRect(shares_up, vec2(gl_FragCoord.y, 0.5)).xyz;
    gl_FragColor = FINE + vec4(at_node(0.0), at_node(1.0), at_node(2.0), at_node(3.0));
}
#endif
