#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// bottom.frag with four nodes of a row a texel, in the inverse too.
uniform sampler2DRect b, inverse;
#ifdef ADD
uniform sampler2DRect old;
#endif
uniform float apart;        // texels of a row of b
uniform vec2 corner, cells; // the first texel of the target; nodes across and up

void main()
{
    vec2 node = gl_FragCoord.xy - corner;
    float first = floor(node.x) * 4.0, i = floor(node.y) * cells.x + first + 0.5;
    vec4 sum = vec4(0.0);
    for (float y = 0.5; y < cells.y; y += 1.0)
        for (float x = 0.5; x < apart; x += 1.0) {
            vec2 here = vec2(floor(y) * apart + x, i);
            vec4 right = texture2DRect(b, vec2(x, y));
            sum += vec4(dot(texture2DRect(inverse, here), right),
                        dot(texture2DRect(inverse, here + vec2(0.0, 1.0)), right),
                        dot(texture2DRect(inverse, here + vec2(0.0, 2.0)), right),
                        dot(texture2DRect(inverse, here + vec2(0.0, 3.0)), right));
        }
    sum *= vec4(lessThan(first + vec4(0.0, 1.0, 2.0, 3.0), cells.xxxx));
#ifdef ADD
    sum += texture2DRect(old, gl_FragCoord.xy);
#endif
    gl_FragColor = sum;
}
