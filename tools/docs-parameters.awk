# Tables of parameters in pages (header: path, what, ... range, default) against the schema, `contatto describe --markdown`,
# which comes first: awk -f docs-parameters.awk SCHEMA PAGE.... Prints rows whose range or default is another one.
BEGIN { FS = " *\\| *" }
function bare(x) { gsub(/\342\210\222/, "-", x); sub(/, log$/, "", x); sub(/e\+/, "e", x); gsub(/\\/, "", x); return x }
FNR == 1 { file++ }
/^\| `[^`]*` \|/ { path = $2; gsub(/`/, "", path) }
file == 1 { if (/^\| `/) { range[path] = bare($6); standard[path] = bare($7) } next }
/^\| path \| what \|/ { for (i = 1; i <= NF; i++) { if ($i == "range") r = i; if ($i == "default") d = i } looking = 1; next }
!/^\|/ { looking = 0; r = d = 0 }
looking && /^\| `[^`]*` \|/ {
  if (!(path in range)) next
  n++
  if (r && bare($r) ~ /^-?[0-9.e-]+ to -?[0-9.e-]+$/ && bare($r) != range[path]) { split(bare($r), a, " to "); split(range[path], b, " to "); if (a[1] + 0 != b[1] + 0 || a[2] + 0 != b[2] + 0) print FILENAME ":" FNR ": " path ": range " $r ", schema " range[path] }
  if (d && bare($d) ~ /^-?[0-9.e-]+$/ && standard[path] ~ /^-?[0-9.e-]+$/ && bare($d) + 0 != standard[path] + 0) print FILENAME ":" FNR ": " path ": default " $d ", schema " standard[path]
}
END { if (n < 30) print "hardly any rows looked at: " n + 0 }
