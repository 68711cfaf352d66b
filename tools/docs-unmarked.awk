# Quantities (a number and a unit: 7.5 dB, 20 to 40 ns, 2 %) in the prose of pages that nothing vouches for. Vouched for is
#   - a number with a mark behind it: <!--= KEY --> (the program's), <!-- timed --> (a machine's), <!-- was COMMIT --> (an
#     older program's)
#   - a paragraph, list item or table row that names the test which holds it (`test/test_*.c`), and the table or list
#     right below such a paragraph
#   - what the page lists as <!-- given: 147 Hz; 10 to 40 ms -->: definitions, settings, values of papers
#   - a table under <!--= table NAME --> or <!-- given table -->; of another table every number is looked at
# Prints PAGE:LINE: QUANTITY. Status 1 when there are any.
BEGIN {
  number = "[+-]?[0-9]+( [0-9][0-9][0-9])*(\\.[0-9]+)?(e[+-]?[0-9]+)?"
  unit = "(N s/m|N/m|dBFS|dB|LUFS|LU|cents?|%|kHz|Hz|ms|\302\265s|ns|s|mJ|J|mW|W|mN|N|mm/s|m/s|MB|kB|octaves?|\302\265m)"
}
function trim(s) { sub(/^ +/, "", s); sub(/ +$/, "", s); return s }
function plain(text) { gsub(/\342\210\222/, "-", text); gsub(/\302\240/, " ", text); gsub(/\342\200\223/, " to ", text); return text }

# Quantities of a text, one call of take() for each; of "20 to 40 ns" both, of "-1.07 to +1.30 %" both.
function scan(text, line,   at, q, rest, low) {
  text = plain(text)
  while (match(text, "(" number "( to | and | or ))?" number " ?" unit)) {
    q = substr(text, RSTART, RLENGTH); rest = substr(text, RSTART + RLENGTH)
    low = RSTART > 1 ? substr(text, RSTART - 1, 1) : ""
    text = rest
    if (low ~ /[A-Za-z0-9_.^\/]/ || rest ~ /^[A-Za-z0-9\/_]/ || q ~ /(N s\/m|N\/m)$/) continue
    take(q, line)
  }
}
function take(q, line,   u, first) {
  gsub(/e\+/, "e", q)
  match(q, unit "$"); u = substr(q, RSTART); q = trim(substr(q, 1, RSTART - 1))
  if (match(q, /( to | and | or )/)) { first = substr(q, 1, RSTART - 1); one(first " " u, line); q = substr(q, RSTART + RLENGTH) }
  one(q " " u, line)
}
function one(q, line) {
  sub(/^\+/, "", q)
  if (collecting) { given[q] = 1; return }
  if (!(q in given)) { print file ":" line ": " q; bad = 1 }
}

# A mark takes the last number before it, and a range's first number may have its own.
function drop_marked(text,   at, end, head, mark, p, from, start, len) {
  while (match(text, /<!--(=| timed| was)[^>]*-->/)) {
    head = substr(text, 1, RSTART - 1); text = substr(text, RSTART + RLENGTH)
    p = head; from = 1; start = 0
    while (match(substr(p, from), number)) { start = from + RSTART - 1; len = RLENGTH; from = start + len }
    if (start) head = substr(head, 1, start - 1) "#" substr(head, start + len)
    text = head text
  }
  return text
}
function clean(text) {
  text = drop_marked(text)
  gsub(/<!--[^>]*-->/, "", text)
  gsub(/`[^`]*`/, "`", text)
  gsub(/\]\([^)]*\)/, "]", text)
  return text
}
function cells(text, line,   n, c, i) {
  n = split(clean(plain(text)), c, "|")
  for (i = 2; i < n; i++) if (trim(c[i]) ~ "^" number "$") { if (!(trim(c[i]) in given)) { print file ":" line ": " trim(c[i]) " (in a table)"; bad = 1 } }
}

function end_block(   i, joined, named) {
  if (!lines) return
  joined = ""
  for (i = 1; i <= lines; i++) joined = joined " " text[i]
  named = joined ~ /`test\/[a-z_\/]*test_[a-z0-9_*]*\.(c|sh|mjs)/
  if (block == "table") {
    if (!vouched && !intro)
      for (i = 1; i <= lines; i++) if (text[i] !~ /`test\/[a-z_\/]*test_/) { scan(clean(text[i]), at[i]); if (i > 2) cells(text[i], at[i]) }
  } else if (!named && !(block == "item" && intro)) {
    joined = clean(joined)
    scan(joined, at[1])
  }
  if (block != "item" && block != "heading") intro = named
  lines = 0; vouched = 0
}
FNR == 1 {
  end_block(); file = FILENAME; split("", given); intro = fenced = 0; last = ""
  collecting = 1
  while ((getline line < FILENAME) > 0) {
    if (line ~ /<!-- given: /) inside = 1
    if (inside) { p = line; sub(/.*<!-- given: /, "", p); sub(/-->.*/, "", p); n = split(p, g, ";"); for (i = 1; i <= n; i++) { scan(" " g[i], 0); given[trim(plain(g[i]))] = 1 } }
    if (line ~ /-->/) inside = 0
  }
  close(FILENAME); collecting = 0
}
/^```/ { end_block(); fenced = !fenced; next }
fenced { next }
/^<!-- from here on: / { end_block(); nextfile_ = FILENAME }
FILENAME == nextfile_ { next }
/^<!-- given: / { end_block(); skipping = 1 }
skipping { if (/-->/) skipping = 0; next }
/^    / && (last == "" || last ~ /^    /) && block != "item" { end_block(); last = $0; next }
{ last = $0 }
/^ *$/ { was = block; end_block(); block = ""; next }
/^<!--= table / || /^<!-- given table/ { end_block(); vouched = 1; pending = 1; next }
/^\|/ { if (block != "table") { v = vouched; end_block(); vouched = v; block = "table" } }
/^#/ { end_block(); intro = 0; next }
/^ *([-*]|[0-9]+\.) / { end_block(); block = "item" }
!/^\|/ && block == "table" { end_block(); block = "" }
block == "" { block = "text" }
{ text[++lines] = $0; at[lines] = FNR }
END { end_block(); exit bad }
