# Numbers that come from the program, in pages: compared, or with renew=1 written anew (the whole page on stdout).
#   12.5<!--= KEY -->              the number before the mark is the program's, rounded as it is written
#   12.5<!--= KEY * 1e3 ~ 5% -->   times 1000; may differ by 5 % (chaotic, or another compiler's)
#   <!--= table NAME ~ 5% -->      the table below is NAME.md of the page's source
# "SOURCE: KEY" takes it from another source than the one named like the page.
# Variables: values (file), sources (those that were run, each between spaces), folder (SOURCE/NAME.md are there), page.
# Prints "PAGE:LINE: ..." to the file `wrong`, one line for each number that is.
BEGIN {
  while ((getline line < values) > 0) { split(line, f, "\t"); value[f[1], f[2]] = f[3]; known[f[1], f[2]] = 1 }
  home = page; sub(/.*\//, "", home); sub(/\.[a-z0-9]*$/, "", home)
  number = "[+-]?[0-9]+( [0-9][0-9][0-9])*(\\.[0-9]+)?(e[+-]?[0-9]+)?"
}
function fail(what) { print page ":" FNR ": " what > wrong }
function trim(s) { sub(/^ +/, "", s); sub(/ +$/, "", s); return s }
function size(x) { return x < 0 ? -x : x }
function plain(text) { gsub(/\342\210\222/, "-", text); return text }    # the minus sign of print
function numeric(text) { text = plain(text); gsub(/ /, "", text); return text + 0 }

# Half of the last digit shown, and a little for rounding on other machines.
function slack(text,   d, e) {
  text = plain(text); gsub(/ /, "", text)
  e = 0; if (match(text, /e[+-]?[0-9]+$/)) { e = substr(text, RSTART + 1) + 0; text = substr(text, 1, RSTART - 1) }
  d = 0; if (match(text, /\./)) d = length(text) - RSTART
  return 0.51 * 10 ^ (e - d)
}

# x with the digits, sign and grouping of text
function written_like(x, text,   p, d, s, minus, grouped, head, rest) {
  p = plain(text); minus = p != text ? "\342\210\222" : "-"; grouped = p ~ /[0-9] [0-9]/
  gsub(/ /, "", p)
  if (match(p, /e/)) {
    head = substr(p, 1, RSTART - 1); d = match(head, /\./) ? length(head) - RSTART : 0
    s = sprintf("%." d "e", size(x)); sub(/e\+?0*/, "e", s); sub(/e-0*/, "e-", s)
  } else {
    d = match(p, /\./) ? length(p) - RSTART : 0
    s = sprintf("%." d "f", size(x))
    if (grouped) { rest = ""; head = s; if (match(s, /\./)) { rest = substr(s, RSTART); head = substr(s, 1, RSTART - 1) }
      while (length(head) > 3) { rest = " " substr(head, length(head) - 2) rest; head = substr(head, 1, length(head) - 3) }
      s = head rest }
  }
  return (x < 0 && s + 0 != 0 ? minus : substr(p, 1, 1) == "+" ? "+" : "") s
}

# what stands in a mark: sets source, key, times, share; false when the mark's source was not run
function read_mark(text,   t) {
  share = 0; times = 1; source = home
  if (match(text, /~ *[0-9.]+ *%$/)) { t = substr(text, RSTART + 1); share = t / 100; text = trim(substr(text, 1, RSTART - 1)) }
  if (match(text, / \* *[-+0-9.e]+$/)) { t = substr(text, RSTART); sub(/ \* */, "", t); times = t + 0; text = trim(substr(text, 1, RSTART - 1)) }
  if (match(text, /^[a-z0-9_-]+: /)) { source = substr(text, 1, RLENGTH - 2); text = trim(substr(text, RLENGTH + 1)) }
  key = text
  return index(sources, " " source " ") > 0
}

# the last number in text: sets before, shown, after
function last_number(text,   at, p, found) {
  found = 0; at = 1; p = text; gsub(/\342\210\222/, "\001\001-", p)
  while (match(substr(p, at), number)) {
    before = substr(p, 1, at + RSTART - 2); shown = substr(p, at + RSTART - 1, RLENGTH); after = substr(p, at + RSTART - 1 + RLENGTH)
    at += RSTART - 1 + RLENGTH; found = 1
  }
  if (!found) return 0
  if (before ~ /\001\001$/) { sub(/\001\001$/, "", before); shown = "\342\210\222" substr(shown, 2) }
  gsub(/\001\001-/, "\342\210\222", before); gsub(/\001\001-/, "\342\210\222", after)
  return 1
}

function one_number(text, mark,   x) {
  if (!read_mark(mark)) return text
  count++
  if (!((source, key) in known)) { fail("nothing called '" key "' comes from " source); return text }
  x = value[source, key]
  if (x == "absent") return text # what it is measured on is not built here
  if (x !~ /^[+-]?[0-9.]+(e[+-]?[0-9]+)?$/) { fail("'" key "' of " source " is no number: " x); return text }
  x *= times
  if (!last_number(text)) { fail("no number before the mark of '" key "'"); return text }
  if (size(numeric(shown) - x) <= slack(shown) + share * size(x)) return text
  if (!renew) fail("says " shown ", " source " gives " written_like(x, shown) " (" key ")")
  return before written_like(x, shown) after
}

# Marks in `code` are examples.
function in_code(text) { return gsub(/`/, "`", text) % 2 }

function inline(line,   out, at, mark, end) {
  out = ""
  while ((at = index(line, "<!--= ")) > 0) {
    end = index(substr(line, at), "-->")
    if (!end) { fail("a mark that is not closed"); break }
    if (in_code(out substr(line, 1, at - 1))) { out = out substr(line, 1, at + end + 1); line = substr(line, at + end + 2); continue }
    mark = trim(substr(line, at + 6, end - 7))
    out = out one_number(substr(line, 1, at - 1), mark) "<!--= " mark " -->"
    line = substr(line, at + end + 2)
  }
  return out line
}

# ---- tables: rows that the source wrote

# equal but for the last digit of numbers with a point or an exponent, and for `share` of any number
function alike(a, b,   x, y) {
  a = plain(a); b = plain(b)
  while (a != b) {
    if (!match(a, number)) return 0
    x = substr(a, RSTART, RLENGTH); ahead = substr(a, 1, RSTART - 1); a = substr(a, RSTART + RLENGTH)
    if (!match(b, number)) return 0
    y = substr(b, RSTART, RLENGTH)
    if (substr(b, 1, RSTART - 1) != ahead) return 0
    b = substr(b, RSTART + RLENGTH)
    if (x != y && size(numeric(x) - numeric(y)) > (x ~ /[.e]/ ? 2 * slack(x) : 0) + share * size(numeric(y))) return 0
  }
  return 1
}

function start_table(name,   file) {
  count++; rows = 0; row = 0; in_table = 1; file = folder "/" source "/" name ".md"; table_name = name; table_share = share
  while ((getline line < file) > 0) table[++rows] = line
  close(file)
  if (!rows) { fail(source " makes no table '" name "'"); in_table = 0 }
}
function end_table() {
  in_table = 0
  if (renew) for (row = 1; row <= rows; row++) print table[row]
  else if (row != rows) fail("table '" table_name "' has " row " lines, " source " gives " rows)
}
in_table && /^\|/ {
  if (renew) next
  row++; share = table_share
  if (row <= rows && !alike($0, table[row])) fail("says    " $0 "\n      gives   " table[row])
  next
}
in_table { end_table() }

/^```/ { fenced = !fenced }
!fenced && /^<!--= table / {
  mark = $0; sub(/^<!--= /, "", mark); sub(/ *-->.*$/, "", mark)
  if (renew) print
  # "table NAME" or "table SOURCE: NAME"
  sub(/^table +/, "", mark)
  if (read_mark(mark)) start_table(key)
  next
}
{ line = fenced ? $0 : inline($0); if (renew) print line }
END { if (in_table) end_table(); print count + 0 > counted }
