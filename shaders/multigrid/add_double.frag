#version 400 compatibility
// SPDX-License-Identifier: MIT
// Adds a correction in floats, four nodes of a row a texel, to x in double, a texel of which has the words of two.
uniform usampler2DRect old;
uniform sampler2DRect x; // the correction
uniform vec2 corner;     // the first texel of x in double
out uvec4 words;

void main()
{
    vec2 node = gl_FragCoord.xy - corner;
    uvec4 at = texture(old, gl_FragCoord.xy);
    vec4 four = texture2DRect(x, vec2(floor(0.5 * node.x) + 0.5, node.y));
    vec2 added = fract(0.5 * node.x) > 0.5 ? four.zw : four.xy;
    words = uvec4(unpackDouble2x32(packDouble2x32(at.rg) + double(added.x)),
                  unpackDouble2x32(packDouble2x32(at.ba) + double(added.y)));
}
