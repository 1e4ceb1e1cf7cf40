# SPDX-License-Identifier: MIT
# Pages of the site (tools/site.sh): reads the names of all files of the project, a line each, and
# writes a page for README.md, for each that leads on from it, and for what they lead to: Markdown by
# cmark-gfm, manual pages by mandoc, folders as lists, any other text with a number before each line.
# Pictures and HTML are copied. Ends with 1 where a link leads nowhere.
#   awk -v out=FOLDER -f tools/site.awk <NAMES

function fault(words) {
    print "site: " words >"/dev/stderr"
    failed = 1
}

# The name of a place that is written relative to a folder ("" is the project's): a/../b is b.
function place(folder, name,   part, n, i, k, path) {
    n = split((name ~ /^\// || folder == "" ? "" : folder "/") name, part, "/")
    for (i = 1; i <= n; i++) {
        if (part[i] == "..")
            k--
        else if (part[i] != "." && part[i] != "")
            part[++k] = part[i]
    }
    for (i = 1; i <= k; i++)
        path = path (i > 1 ? "/" : "") part[i]
    return path
}

function folder_of(path) {
    return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : ""
}

function is_copied(path) {
    return path ~ /\.(svg|png|html|npy)$/
}

# The page that shows a file or a folder.
function page_of(path) {
    if (path in is_folder)
        return (path == "" ? "" : path "/") "index.html"
    if (is_copied(path))
        return path
    if (path ~ /(^|\/)README\.md$/)
        return substr(path, 1, length(path) - 9) "index.html"
    return path ~ /\.md$/ ? substr(path, 1, length(path) - 3) ".html" : path ".html"
}

# The way from a page to another.
function way(from, to,   ups, i, n, part) {
    n = split(folder_of(from), part, "/")
    for (i = 1; i <= n && index(to, part[i] "/") == 1; i++)
        to = substr(to, length(part[i]) + 2)
    for (; i <= n; i++)
        ups = ups "../"
    return ups to
}

# Notes a file or a folder that a page is wanted of.
function want(path) {
    if (path in is_folder && ((path == "" ? "" : path "/") "README.md") in is_file)
        path = (path == "" ? "" : path "/") "README.md"
    if (!(path in is_file) && !(path in is_folder))
        fault("there is no " path)
    else if (!(path in wanted)) {
        wanted[path] = 1
        queue[queued++] = path
    }
    return page_of(path)
}

# The address that a link of a page leads to.
function address(page, file, link,   at, fragment, path, base) {
    if (link ~ /^[a-z]+:/)
        return link
    at = index(link, "#")
    fragment = at > 0 ? substr(link, at + 1) : ""
    link = at > 0 ? substr(link, 1, at - 1) : link
    path = link == "" ? file : place(folder_of(file), link)
    if (!(path in is_file) && !(path in is_folder)) {
        fault(file ": a link to " link ", which is not there")
        return link
    }
    base = want(path)
    if (fragment != "")
        leads[page "\t" base "#" fragment] = 1
    return (base == page ? "" : way(page, base)) (fragment != "" ? "#" fragment : "")
}

# A line of HTML with each address of this attribute led to its page.
function readdress(line, name, page, file,   done, at, end) {
    while ((at = index(line, name "=\"")) > 0) {
        at += length(name) + 2
        done = done substr(line, 1, at - 1)
        line = substr(line, at)
        end = index(line, "\"")
        done = done address(page, file, substr(line, 1, end - 1))
        line = substr(line, end)
    }
    return done line
}

function plain(line) {
    gsub(/<[^>]*>/, "", line)
    return line
}

function escape(line) {
    gsub(/&/, "\\&amp;", line)
    gsub(/</, "\\&lt;", line)
    gsub(/>/, "\\&gt;", line)
    gsub(/"/, "\\&quot;", line)
    return line
}

# The name that GitHub gives a heading.
function anchor(page, text,   name) {
    name = tolower(plain(text))
    gsub(/&[a-z]+;/, "", name)
    gsub(/[\001-\037!-,.\/:-@[-^`{-~]/, "", name)
    gsub(/ /, "-", name)
    return unique(page, name)
}

function unique(page, name,   number) {
    number = times[page, name]++
    name = number > 0 ? name "-" number : name
    is_there[page "#" name] = 1
    return name
}

# ---- Pages ----

# Where a line of HTML begins a heading: its level, or 0.
function level(line) {
    return line ~ /^<h[1-6][ >]/ ? substr(line, 3, 1) + 0 : 0
}

# Takes a line of a page: headings get names and go into the contents, tables and texts a region that
# can be reached by keys.
function take(page, file, line,   deep, text, name, caption) {
    if (line ~ /^<!-- .* -->$/)
        return
    line = readdress(readdress(line, "href", page, file), "src", page, file)
    deep = level(line)
    if (deep > 0) {
        deep += line ~ /^<h[12] class="S/ # sections of a manual are below its title
        text = line
        sub(/^<h[1-6][^>]*>/, "", text)
        sub(/<\/h[1-6]>$/, "", text)
        name = match(line, /id="[^"]*"/) ? unique(page, substr(line, RSTART + 4, RLENGTH - 5)) : anchor(page, text)
        heading = plain(text)
        tables = 0
        if (deep == 1)
            title = title == "" ? heading : title
        else if (deep == 2)
            contents = contents "<li><a href=\"#" name "\">" heading "</a></li>\n"
        sections += deep == 2
        body[lines++] = "<h" deep " id=\"" name "\">" text "</h" deep ">"
        return
    }
    if (line ~ /^<table/) {
        caption = (heading != "" ? heading : title) (tables++ > 0 ? ", table " tables : "")
        sub(/^<table[^>]*>/, "<div class=\"wide\" role=\"region\" aria-label=\"" caption "\" tabindex=\"0\"><table><caption>" caption "</caption>", line)
    }
    sub(/^<\/table>/, "</table></div>", line)
    gsub(/<th>/, "<th scope=\"col\">", line)
    sub(/<th align="right">/, "<th scope=\"col\" class=\"right\">", line)
    sub(/<th align="center">/, "<th scope=\"col\" class=\"centre\">", line)
    sub(/<td align="right">/, "<td class=\"right\">", line)
    sub(/<td align="center">/, "<td class=\"centre\">", line)
    gsub(/<pre>/, "<pre tabindex=\"0\">", line)
    gsub(/<pre lang=/, "<pre tabindex=\"0\" data-language=", line)
    if (match(line, / id="[^"]*"/))
        unique(page, substr(line, RSTART + 5, RLENGTH - 6))
    body[lines++] = line
}

function link_to(page, name, path) {
    return "<a href=\"" way(page, want(path)) "\">" name "</a>"
}

function step(page, name, path, kind) {
    return "<a rel=\"" kind "\" href=\"" way(page, want(path)) "\">" name ": " (path in title_of ? title_of[path] : path) "</a>"
}

function make_folder(folder) {
    if (!(folder in is_made))
        system("mkdir -p '" out "/" folder "'")
    is_made[folder] = 1
}

function write_page(page, file,   path, i) {
    path = out "/" page
    make_folder(folder_of(page))
    print "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">" >path
    print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">" >path
    print "<title>" title (title == "Quadpass" ? "" : " - Quadpass") "</title>" >path
    print "<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"" way(page, "style.css") "\">\n</head>\n<body>" >path
    print "<nav aria-label=\"Site\">" link_to(page, "Quadpass", "README.md") " " link_to(page, "Documentation", "docs/README.md") >path
    print link_to(page, "History", "docs/history.md") " " link_to(page, "Report", "docs/report/index.html") " " link_to(page, "Live page", "docs/live/index.html") " " link_to(page, "Manual", "man/quadpass.1") "</nav>\n<main>" >path
    for (i = 0; i < lines; i++) {
        print body[i] >path
        if (sections > 2 && body[i] ~ /^<h1/) {
            print "<details class=\"contents\"><summary>On this page</summary>\n<ul>\n" contents "</ul></details>" >path
            sections = 0
        }
    }
    print "</main>" >path
    if (file in number)
        print "<nav aria-label=\"Pages in order\">" (number[file] > 1 ? step(page, "Before", order[number[file] - 1], "prev") : "") \
            (number[file] < ordered ? " " step(page, "Next", order[number[file] + 1], "next") : "") "</nav>" >path
    print "</body>\n</html>" >path
    close(path)
}

# A file's text with a number before each line, which has an address: #L7.
function take_text(page, file,   line, n) {
    body[lines++] = "<h1>" file "</h1>"
    while ((getline line <file) > 0)
        body[lines++] = (n++ > 0 ? "" : "<pre tabindex=\"0\" class=\"text\">") "<span id=\"L" n "\">" escape(line) "</span>"
    close(file)
    for (line = 1; line <= n; line++)
        is_there[page "#L" line] = 1
    body[lines++] = n > 0 ? "</pre>" : "<p>An empty file.</p>"
    title = file
}

# A folder's files and folders.
function take_folder(page, folder,   i, rest, name, seen) {
    title = (folder == "" ? "" : folder "/")
    body[lines++] = "<h1>" title "</h1>\n<ul>"
    for (i = 0; i < files; i++) {
        if (index(file_at[i], title) != 1)
            continue
        name = substr(file_at[i], length(title) + 1)
        sub(/\/.*/, "", name)
        if (!seen[name]++)
            body[lines++] = "<li>" link_to(page, name, title name) "</li>"
    }
    body[lines++] = "</ul>"
}

function make(file,   page, command, line) {
    page = page_of(file)
    lines = sections = tables = 0
    title = heading = contents = ""
    if (is_copied(file)) {
        print file >copies
        return
    }
    if (file in is_folder)
        take_folder(page, file)
    else if (file ~ /\.(md|[13])$/) {
        command = file ~ /\.md$/ ? "cmark-gfm --unsafe -e table -e strikethrough -e autolink '" file "'" : "mandoc -T html -O fragment '" file "'"
        if (file !~ /\.md$/)
            take(page, file, "<h1>" substr(file, 5, length(file) - 6) "(" substr(file, length(file)) ")</h1>")
        while ((command | getline line) > 0) {
            is_frame = is_frame || line ~ /^<table class="(head|foot)">/ # of a manual, around its text
            if (!is_frame)
                take(page, file, line)
            is_frame = is_frame && line !~ /^<\/table>/
        }
        if (close(command) != 0)
            fault(file ": failed: " command)
    } else
        take_text(page, file)
    write_page(page, file)
}

# The order of pages is that of the links of docs/README.md.
function find_order(   line, path) {
    while ((getline line <"docs/README.md") > 0) {
        while (match(line, /\]\([^)#]*\.md\)/)) {
            path = place("docs", substr(line, RSTART + 2, RLENGTH - 3))
            line = substr(line, RSTART + RLENGTH)
            if (!(path in number)) {
                order[++ordered] = path
                number[path] = ordered
            }
        }
    }
    close("docs/README.md")
}

# The first heading of a page, for links to it.
function find_title(path,   line) {
    while ((getline line <path) > 0 && line !~ /^# /)
        ;
    close(path)
    sub(/^# +/, "", line)
    gsub(/`/, "", line)
    title_of[path] = escape(line)
}

{
    sub(/^\.\//, "")
    file_at[files++] = $0
    is_file[$0] = 1
    for (at = folder_of($0); at != ""; at = folder_of(at))
        is_folder[at] = 1
}

END {
    copies = out "/copies"
    find_order()
    for (i = 1; i <= ordered; i++)
        find_title(order[i])
    want("README.md")
    want("docs/README.md")
    for (next_one = 0; next_one < queued; next_one++)
        make(queue[next_one])
    for (link in leads) {
        split(link, ends, "\t")
        if (!(ends[2] in is_there) && ends[2] !~ /\.html#$/)
            fault(ends[1] ": a link to " ends[2] ", which no heading is called")
    }
    close(copies)
    if (system("xargs -d '\\n' cp --parents -t '" out "' <'" copies "' && rm '" copies "'") != 0)
        fault("a file could not be copied")
    sub(/\.new$/, "", out) # where tools/site.sh moves it
    print "site: " queued " pages and files in " out
    exit failed
}
