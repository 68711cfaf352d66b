# The numbers behind pictures in short: FILE,COLUMN,NUMBERS,LEAST,MOST,MEAN,RMS for each column of the given CSV files;
# but not of error_j, which is rounding.
BEGIN { FS = "," }
function flush(   i) {
  for (i = 1; i <= columns; i++)
    if (n[i] && name[i] != "error_j") printf "%s,%s,%d,%.5g,%.5g,%.5g,%.5g\n", file, name[i], n[i], low[i], high[i], sum[i] / n[i], sqrt(square[i] / n[i])
}
FNR == 1 {
  flush(); file = FILENAME; sub(/.*\//, "", file); columns = NF
  for (i = 1; i <= NF; i++) { name[i] = $i; n[i] = sum[i] = square[i] = 0; low[i] = high[i] = "" }
  if ($1 !~ /^[+-]?[0-9.]/) next
  for (i = 1; i <= NF; i++) name[i] = "column " i
}
{
  for (i = 1; i <= columns; i++) {
    if ($i !~ /^[+-]?[0-9.]+(e[+-]?[0-9]+)?$/) continue
    x = $i + 0; n[i]++; sum[i] += x; square[i] += x * x
    if (low[i] == "" || x < low[i]) low[i] = x
    if (high[i] == "" || x > high[i]) high[i] = x
  }
}
END { flush() }
