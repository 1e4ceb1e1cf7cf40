#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// solution.frag for four systems at once, one a channel, and a plane for each unknown.
uniform sampler2DRect a;
uniform sampler2DRect failures; // columns without a pivot
uniform vec2 origin;            // corner of the first plane in a
uniform vec2 place;             // corner of the first plane in failures
uniform vec2 corner;            // corner of the first plane in the target
uniform vec2 size;              // columns and rows of a system
uniform vec2 count;             // systems of a plane, in fours

void main()
{
    vec2 at = floor(gl_FragCoord.xy) - corner;
    float i = floor((at.x + 0.5) / count.x);
    vec2 system = vec2(at.x - i * count.x, at.y);
    vec4 failed = texture2DRect(failures, place + system + 0.5);
    vec4 x = texture2DRect(a, origin + vec2(size.y, i) * count + system + 0.5);
    x = vec4(failed.r > 0.0 ? 0.0 : x.r, failed.g > 0.0 ? 0.0 : x.g,
             failed.b > 0.0 ? 0.0 : x.b, failed.a > 0.0 ? 0.0 : x.a);
    gl_FragColor = i == size.y ? failed : x;
}
