#!/bin/bash
# SPDX-License-Identifier: MIT
# Looks at what documentation keeps of measurements, and prints what is wrong (exit code 1):
#   records.sh lines RECORD...                    a record is a line, as `quadpass bench` writes it
#   records.sh newest FOLDER RECORD...             an older record of the same name is there only if
#                                                 a page in the folder names it
#   records.sh commits LOST RECORD...             each names a commit of HEAD's history, or is in
#                                                 the list of those that are lost
#   records.sh agree OPERATIONS SPEEDS LIST.csv   two pages show the same speed of a variant where
#                                                 both have one
set -euo pipefail

faults=0
fault() {
    echo "$*"
    faults=1
}

lines() {
    local name count expected
    local -A lines
    while read -r count name; do lines[$name]=$count; done < <(wc -l "$@")
    while read -r name expected; do
        [ "${lines[$name]}" -eq "$expected" ] ||
            fault "$name: has ${lines[$name]} lines in place of $expected: write a record a line"
    done < <(jq -r '"\(input_filename) \(length - 1 + (.records | length) + 4)"' "$@")
    while read -r name; do
        fault "$name: a line is neither a record nor a member of the head"
    done < <(grep -lvE $'^([]{}]|\t("records": \\[|\\]|"[a-z]+": .*,)|\t\t\\{".*\\},?)$' "$@")
}

newest() {
    local name older=''
    while read -r name; do
        [ "${name#????-??-??-}" != "${older#????-??-??-}" ] ||
            grep -rqF --include='*.md' -- "$older" "$pages" ||
            fault "$older: $name is newer, and no page names the older one: take it out"
        older=$name
    done < <(printf '%s\n' "${@##*/}" | sort -t- -k4 -k1,3)
}

commits() {
    local name commit
    local -A there lost_ones records
    while read -r commit; do
        ! git merge-base --is-ancestor "$commit" HEAD 2>/dev/null || there[$commit]=1
    done < <(jq -r .commit "$@" | sort -u)
    while read -r name; do lost_ones[$name]=1; done <"$lost"
    while read -r name commit; do
        records[${name##*/}]=1
        if [ -n "${there[$commit]:-}" ]; then
            [ -z "${lost_ones[${name##*/}]:-}" ] ||
                fault "$lost: ${name##*/} was measured again; take its line out"
        else
            [ -n "${lost_ones[${name##*/}]:-}" ] ||
                fault "$name: is of $commit, which is no commit of this history"
        fi
    done < <(jq -r '"\(input_filename) \(.commit)"' "$@")
    while read -r name; do
        [ -n "${records[$name]:-}" ] || fault "$lost: there is no record $name; take its line out"
    done <"$lost"
}

# The cells `ROW` SPEED of the table of operations beside the lines of tables headed "SIZE, UNIT".
agree() {
    local bad
    bad=$(awk -F' *[|] *' '
        FNR == 1 { file++ }
        file == 1 && FNR > 1 { split($0, f, ","); size[f[1]] = f[5]; unit[f[1]] = f[8] }
        file == 2 && /^[|] \[`/ {
            split($2, f, "`")
            for (i = 9; i <= 10; i++)
                if (split($i, cell, /`| /) > 1 && (i == 9 || $i !~ /[)]$/))
                    best[i == 9 ? "llvmpipe" : "NVIDIA H200", f[2] "/" cell[2]] = \
                        cell[4] ($i ~ / to / ? " to" : "")
        }
        file == 3 && /^[|] [0-9]+ x [0-9]+, / {
            split($2, head, / x |, /); at = head[1] "x" head[2]; of = head[3]
            for (i = 3; i < NF; i++) column[i] = $i
            next
        }
        file == 3 && !/^[|]/ { at = "" }
        file == 3 && at != "" && /^[|] `/ {
            split($2, name, "`"); split(name[2], op, "/")
            if (size[op[1]] == at && unit[op[1]] == of)
                for (i = 3; i < NF; i++) {
                    device = column[i] ~ /^llvmpipe/ ? "llvmpipe" : column[i]
                    split($i, shown, " ")
                    if (!((device, name[2]) in best)) continue
                    if (best[device, name[2]] != shown[1] ($i ~ / to / ? " to" : ""))
                        print name[2] ", " column[i] ": " best[device, name[2]] \
                            " on one page and " $i " on the other"
                    compared++
                }
        }
        END { if (compared == 0) print "the pages have no row in common" }
    ' "$3" "$1" "$2")
    [ -z "$bad" ] || fault "$bad"
}

what=$1
shift
case $what in
lines) lines "$@" ;;
newest) pages=$1 && shift && newest "$@" ;;
commits) lost=$1 && shift && commits "$@" ;;
agree) agree "$@" ;;
*) exit 2 ;;
esac
exit $faults
