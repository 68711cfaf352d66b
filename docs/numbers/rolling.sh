# Numbers of docs/models/rolling.md: what the tests of rolling and of surfaces print.
"$BUILD/test/test_rolling" >rolling.txt 2>&1
awk '{ gsub(/[(),;]/, "") }
  /^stopped after/ { print "stops/measured," $3; print "stops/expected," $6 }
  /^highest/ { print "turns back/measured," $2; print "turns back/expected," $5 }
  /half the swing/ { print "swing/" $1 "/measured," 1e3 * $11; print "swing/" $1 "/expected," 1e3 * $(NF - 1) }
  /^last swings/ { print "rocks/measured," $4; print "rocks/expected," $7 }' rolling.txt
"$BUILD/test/test_surface" >surface.txt 2>&1
awk '/^noise .*rms/ { d = 100 * ($6 - 1); d = d < 0 ? -d : d; if (d > rms) rms = d }
  /centre .*asked/ { gsub(/[(),]/, ""); d = 100 * ($4 / $7 - 1); d = d < 0 ? -d : d; if (d > centre) centre = d }
  /^beta .*slope/ { sub(/:/, "", $2); d = $4 + $2; d = d < 0 ? -d : d; if (d > slope) slope = d }
  END { print "noise/rms percent," rms; print "noise/centre percent," centre; print "noise/slope," slope }' surface.txt
