// SPDX-License-Identifier: MIT
// A picture at half its size, without any C; each cell of x is the mean of four of the picture:
//     quadpass run demos/shaders/half.frag --input photo=photo.png --size 320x240 -o small.png

float kernel(vec2 here)
{
    vec2 corner = 2.0 * here;
    return 0.25 * (photo_cell(corner) + photo_cell(corner + vec2(1.0, 0.0)) +
                   photo_cell(corner + vec2(0.0, 1.0)) + photo_cell(corner + vec2(1.0, 1.0)));
}
