// SPDX-License-Identifier: MIT
// Adds four neighbours along a line of cells; a line in front defines the type of a value: src/toolkit/reduce/gather.c.
VALUE term(vec2 cell)
{
    return cell.x < cells_size.x && cell.y < cells_size.y ? cells_cell(cell) : VALUE(0);
}

VALUE kernel(vec2 here)
{
    vec2 first = here * (1.0 + 3.0 * along);
    return (term(first) + term(first + along)) + (term(first + 2.0 * along) + term(first + 3.0 * along));
}
