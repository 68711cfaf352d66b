# Numbers of docs/models/impact-closed-forms.md: what test_closed prints.
"$BUILD/test/test_closed" >closed.txt 2>&1
awk '{ gsub(/,/, "") }
  /^432 rows/ { for (i = 1; i < NF; i++) { if ($i == "v_out" || $i == "x_max" || $i == "energy") print "table/" $i "," $(i + 1); if ($i == "time") print "table/time," $(i + 1); if ($i == "7") print "table/eq7," $(i + 1) } }
  /^mu v from/ { print "digits," $NF }' closed.txt
