#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The answer on the coarsest grid: row i of the inverse, in columns of which the diagonal is a factor, times b. ADD: it
// corrects `old`.
uniform sampler2DRect b, inverse;
#ifdef ADD
uniform sampler2DRect old;
#endif
uniform vec2 corner, cells; // the first node's texel in the target; nodes across and up

void main()
{
    vec2 node = gl_FragCoord.xy - corner;
    float i = floor(node.y) * cells.x + node.x, sum = 0.0;
    for (float y = 0.5; y < cells.y; y += 1.0)
        for (float x = 0.5; x < cells.x; x += 1.0)
            sum += texture2DRect(inverse, vec2(floor(y) * cells.x + x, i)).x * texture2DRect(b, vec2(x, y)).x;
#ifdef ADD
    sum += texture2DRect(old, gl_FragCoord.xy).x;
#endif
    gl_FragColor = vec4(sum);
}
