#version 150 compatibility
// SPDX-License-Identifier: MIT
// ELL in slices of four rows, with their slots side by side; slots after a row's last entry hold 0 in column 0.
uniform sampler2DRect x;
uniform sampler2DRect value;
uniform usampler2DRect column; // texel of x for each entry: to the right in 16 bits, upward in 16 bits
uniform sampler2DRect head;    // first slot of each slice, and its number of slots

float entry(uint word)
{
    return texture(x, vec2(word & 65535u, word >> 16) + 1.5).r;
}

void main()
{
    vec4 slice = texture(head, gl_FragCoord.xy);
    vec2 place = slice.rg;
    vec4 sum = vec4(0.0);
    // An integer, since a guard beside the grid holds NaN, and on some drivers a comparison with NaN ends no loop.
    int slots = int(slice.b);
    for (int k = 0; k < slots; k++, place.x += 1.0) {
        uvec4 word = texture(column, place);
        sum += texture(value, place) * vec4(entry(word.r), entry(word.g), entry(word.b), entry(word.a));
    }
    gl_FragColor = sum;
}
