#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// A residual from a grid to the next coarser one, by the transpose of the interpolation: a coarse node takes four fine
// ones each way by its weights, and divides by its diagonal. EQUAL: where the weights are 1/2, 1 and 1/2, and the
// matrix has equal rows.
uniform sampler2DRect x;
#ifdef EQUAL
uniform float weight; // 1 over the diagonal
#else
uniform sampler2DRect weights_across, weights_up; // four weights of each coarse column, and of each row
uniform sampler2DRect bands;                      // the coarse matrix, as in relax.frag
uniform float apart;
uniform vec2 repeated;
#endif
uniform vec2 rim; // 1 where x is 0 beyond the fine grid's first node, across and up

#ifdef EQUAL
float row_sum(vec2 first)
{
    return 0.5 * (texture2DRect(x, first).x + texture2DRect(x, first + vec2(2.0, 0.0)).x) +
           texture2DRect(x, first + vec2(1.0, 0.0)).x;
}
#else
vec4 across;

float row_sum(vec2 first)
{
    return dot(across, vec4(texture2DRect(x, first).x, texture2DRect(x, first + vec2(1.0, 0.0)).x,
                            texture2DRect(x, first + vec2(2.0, 0.0)).x, texture2DRect(x, first + vec2(3.0, 0.0)).x));
}
#endif

void main()
{
    vec2 node = gl_FragCoord.xy, first = 2.0 * (node - 0.5) + rim - 0.5, up = vec2(0.0, 1.0);
#ifdef EQUAL
    gl_FragColor = vec4(weight * (0.5 * (row_sum(first) + row_sum(first + 2.0 * up)) + row_sum(first + up)));
#else
    across = texture2DRect(weights_across, vec2(node.x, 0.5));
    float sum = dot(texture2DRect(weights_up, vec2(node.y, 0.5)),
                    vec4(row_sum(first), row_sum(first + up), row_sum(first + 2.0 * up), row_sum(first + 3.0 * up)));
    float line = node.y - clamp(node.y - 0.5 - repeated.x, 0.0, repeated.y);
    gl_FragColor = vec4(sum / texture2DRect(bands, vec2(node.x + 2.0 * apart, line)).x);
#endif
}
