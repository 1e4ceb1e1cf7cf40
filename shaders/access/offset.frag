#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Cell i becomes cell i + parameter; behind the last one comes the first. Textures know no order of
// cells beyond a row, so a shader counts them itself.
uniform sampler2DRect x;
uniform vec2 origin, cells;
uniform float parameter;

void main()
{
    vec2 here = floor(gl_FragCoord.xy - origin);
    float count = cells.x * cells.y;
    float from = here.y * cells.x + here.x + parameter;
    from -= count * floor((from + 0.5) / count);
    float row = floor((from + 0.5) / cells.x);
    gl_FragColor = vec4(texture2DRect(x, origin + vec2(from - row * cells.x, row) + 0.5).x);
}
