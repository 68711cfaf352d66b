# awk -v picture_folder=... -f docs-compare.awk KEPT MADE: what docs-data.awk told of the pictures kept and of those made now.
# Least, most, mean and rms may differ by 1 % of the column's largest number; counts by 1 %; scripts not at all.
BEGIN { FS = "," }
function size(x) { return x < 0 ? -x : x }
{ key = $1 "," $2 }
$1 == "png" { next }
NR == FNR { kept[key] = $0; next }
!(key in kept) { print picture_folder ": the program now also makes " key; next }
{
  split(kept[key], old, ","); seen[key] = 1
  if ($1 == "script") { if (old[3] != $3) print picture_folder "/" $2 ".png: drawn by another script now"; next }
  if ($1 == "text") { if (old[3] != $3) print picture_folder "/" $2 ": says something else now"; next }
  top = size($4) > size($5) ? size($4) : size($5)
  for (i = 3; i <= 7; i++) if (size($i - old[i]) > 0.01 * (i == 3 ? $3 : top)) { print picture_folder ": " key ": was " kept[key] ", is " $0; next }
}
END { for (key in kept) if (!(key in seen)) print picture_folder ": the program makes no " key " any more" }
