# A study's table (CSV, its last column the value) or lines "key,value" as "source TAB key TAB value".
# The key is all columns but the last, joined by "/". Columns in quotes lose them.
# papetti2009 has two values a row: columns named error_* each become a key.
BEGIN { FS = "," }
{ gsub(/"/, "") }
NR == 1 && study { split($0, name, ","); for (first = 1; first <= NF && name[first] !~ /^(value|error_)/; first++); next }
!study { first = NF }
{
  key = ""
  for (i = 1; i < first; i++) key = key (i > 1 ? "/" : "") $i
  for (i = first; i <= NF; i++) print source "\t" key (study && NF > first ? "/" name[i] : "") "\t" $i
}
