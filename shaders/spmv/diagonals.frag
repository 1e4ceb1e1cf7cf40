#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Diagonals: four rows a texel, and the texels of all diagonals side by side. Row i of the diagonal at offset o is
// multiplied by x[i + o], which lies o % width places to the right and o / width above, and one line higher if this
// passes the end of a row of x. Beyond x's first and last row diagonals hold zeros, and any number will do.
uniform sampler2DRect x; // x with one value a texel, and two texels of padding on either side
uniform sampler2DRect diagonals;
uniform sampler2DRect offsets; // offset of each diagonal: to the right, upward, number of diagonals
uniform vec2 origin, cells;
uniform vec2 range; // first diagonal of this draw, and the end of its diagonals

void main()
{
    vec2 texel = gl_FragCoord.xy - origin - 0.5;
    vec4 column = 4.0 * texel.x + vec4(0.0, 1.0, 2.0, 3.0);
    float count = texture2DRect(offsets, vec2(1.5)).b;
    vec2 place = vec2(count * texel.x + range.x + 1.5, texel.y + 1.5);
    vec4 sum = vec4(0.0);
    for (float d = range.x + 1.5; d < range.y + 1.0; d += 1.0) {
        vec4 offset = texture2DRect(offsets, vec2(d, 1.5));
        vec4 right = column + offset.r;
        vec4 carry = step(cells.x, right);
        right += 3.5 - cells.x * carry;
        vec4 up = clamp(texel.y + offset.g + carry + 1.5, 1.5, cells.y + 0.5);
        sum += texture2DRect(diagonals, place) * vec4(texture2DRect(x, vec2(right.r, up.r)).r,
                                                      texture2DRect(x, vec2(right.g, up.g)).r,
                                                      texture2DRect(x, vec2(right.b, up.b)).r,
                                                      texture2DRect(x, vec2(right.a, up.a)).r);
        place.x += 1.0;
    }
    gl_FragColor = sum;
}
