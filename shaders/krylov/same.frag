// SPDX-License-Identifier: MIT
// A vector as it is, for sums that follow no other pass.
vec4 kernel(vec2 here)
{
    return x_at(0, 0);
}
