# SPDX-License-Identifier: MIT
# Charts as SVG, 360 pixels wide, as src/tools/cmd/output/svg.h has pages: curves against x, linear or by
# its logarithm to base 2, from 0 upwards.
include "tables";

def hundredths: rounded(2);
def escaped: tostring | gsub("&"; "&#38;") | gsub("<"; "&#60;") | gsub(">"; "&#62;");
def text($x; $y; $more): "<text x=\"\($x | hundredths)\" y=\"\($y | hundredths)\"\($more)>\(escaped)</text>";
# The least of 1, 2 and 5 times a power of ten of which this number has six at the most.
def tick: . as $most | first(range(-9; 9) as $k | (1, 2, 5) * pow(10; $k) | select($most / . <= 6));

# Curves are {name, points: [[x, y], ...], colour, dash}; dash "" is a whole line.
def chart($title; $x_name; $y_name; $logarithmic; $description; $curves):
    def scaled: if $logarithmic then log2 else . end;
    ([$curves[].points[][0] | scaled] | {least: min, most: max}) as $x
    | ([$curves[].points[][1]] | max) as $y | ($y | tick) as $tick | ($y / $tick | ceil * $tick) as $top
    | {left: 40, right: 340, high: 52, low: 272} as $at
    | def across: (scaled - $x.least) / ($x.most - $x.least) * ($at.right - $at.left) + $at.left;
      def up: $at.low - . / $top * ($at.low - $at.high);
      def point: "\(.[0] | across | hundredths),\(.[1] | up | hundredths)";
    ($x.most - $x.least | tick) as $step
    | (if $logarithmic then [[$curves[].points[][0]] | unique[] | select((log2 - $x.most) % 2 == 0)]
       else [range(($x.least / $step | ceil); ($x.most / $step | floor) + 1) * $step] end) as $marks
    | (324 + 16 * ($curves | length)) as $height
    | "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"360\" height=\"\($height)\" viewBox=\"0 0 360 \($height)\" role=\"img\" aria-labelledby=\"t d\"",
      "  font-family=\"sans-serif\" font-size=\"12\">",
      "<title id=\"t\">\($title | escaped)</title>", "<desc id=\"d\">\($description | escaped)</desc>",
      "<rect width=\"360\" height=\"\($height)\" fill=\"#fff\"/>",
      ($title | text(8; 18; " font-weight=\"bold\"" + if length > 43 then " textLength=\"344\" lengthAdjust=\"spacingAndGlyphs\"" else "" end)),
      ($y_name | text(8; 38; "")),
      (range(0; ($top / $tick | round) + 1) * $tick
       | "<path stroke=\"#ced4da\" d=\"M40 \(up | hundredths)H340\"/>", (. | hundredths | text(36; . / $top * ($at.high - $at.low) + $at.low + 4; " font-size=\"11\" text-anchor=\"end\""))),
      ($marks[] | text(across; 288; " font-size=\"11\" text-anchor=\"middle\"")),
      ($x_name | text(190; 306; " text-anchor=\"middle\"")),
      ($curves | to_entries[] | .key as $k | .value
       | " fill=\"none\" stroke=\"\(.colour)\" stroke-width=\"2\"" as $paint
       | (if .dash == "" then "" else " stroke-dasharray=\"\(.dash)\"" end) as $dash
       | "<polyline points=\"\([.points[] | point] | join(" "))\"\($paint)\($dash)/>",
         "<path d=\"M40 \(320 + 16 * $k)h30\"\($paint)\($dash)/>", (.name | text(76; 324 + 16 * $k; "")),
         (.colour as $colour | .points[] | "<circle cx=\"\(.[0] | across | hundredths)\" cy=\"\(.[1] | up | hundredths)\" r=\"2.5\" fill=\"\($colour)\"/>")),
      "</svg>";

def colours: ["#1d6fa5", "#b5560b", "#2b7a3d", "#8a3fa0", "#212529"];
def dashes: ["", "6 3", "2 3", "8 3 2 3", "4 2"];
