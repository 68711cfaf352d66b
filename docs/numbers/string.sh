# Numbers of docs/models/string.md: what test_string prints.
"$BUILD/test/test_string" >string.txt 2>&1
awk '{ gsub(/,/, "") }
  /^first partial within/ { print "pitch/first cents," $4; print "pitch/twenty cents," $NF }
  /^decay within/ { print "decay/percent," 100 * $3 }
  /^held:/ { print "held/more percent," 100 * ($2 / $5 - 1) }
  /^plucked at a seventh/ { print "pluck/dB," $7 }
  /^partial / { c = $3 < 0 ? -$3 : $3; if (c > cents) cents = c; d = 100 * ($6 / $8 - 1); d = d < 0 ? -d : d; if (d > decay) decay = d; l = $10 < 0 ? -$10 : $10; if (l > level) level = l }
  END { print "modes/cents," cents; print "modes/decay percent," decay; print "modes/dB," level }' string.txt
