#version 150 compatibility
// SPDX-License-Identifier: MIT
// ELL: four rows a texel, and their slots side by side; slots after a row's last entry hold 0 in column 0.
uniform sampler2DRect x;
uniform sampler2DRect value;
uniform usampler2DRect column; // texels of x: to the right in 16 bits, upward in 16 bits
uniform sampler2DRect slots;   // number of slots
uniform vec2 origin;

float entry(uint word)
{
    return texture(x, vec2(word & 65535u, word >> 16) + 1.5).r;
}

void main()
{
    float count = texture(slots, vec2(1.5)).r;
    vec2 texel = gl_FragCoord.xy - origin - 0.5;
    vec2 place = vec2(count * texel.x + 1.5, texel.y + 1.5);
    vec4 sum = vec4(0.0);
    for (float end = place.x + count; place.x < end; place.x += 1.0) {
        uvec4 word = texture(column, place);
        sum += texture(value, place) * vec4(entry(word.r), entry(word.g), entry(word.b), entry(word.a));
    }
    gl_FragColor = sum;
}
