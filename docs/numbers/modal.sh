# Numbers of docs/models/modal.md.
"$BUILD/test/test_residual" >residual.txt 2>&1
awk '{ gsub(/[(,;:]/, "") }
  /^Zener/ { zener = $2; zener_us = $5; all = $NF }
  /kHz/ && /without the residual/ { n++; rate[n] = $1 + 0; with[n] = $3; us[n] = $4; without[n] = $9; normal[n] = $12
    print "restitution/" rate[n] "/with," $3; print "restitution/" rate[n] "/without," $9; print "restitution/" rate[n] "/normal," $12 }
  END {
    print "zener," zener; print "all modes," all
    print "| steel ball, 10 mm radius, 1 m/s, on 8 mm of glass | restitution | touches for |\n| --- | --- | --- |" >"residual.md"
    printf "| Zener\047s theory (infinite plate) | %s | %s µs |\n", zener, zener_us >"residual.md"
    printf "| 24 000 modes, apart from the engine | %s | |\n", all >"residual.md"
    for (i = 1; i <= n; i++) printf "| %s kHz%s | %s / %s | %s µs |\n", rate[i], i == 1 ? ", with the residual / without" : "", with[i], without[i], us[i] >"residual.md"
    for (i = 1; i <= n; i++) { d = 100 * (with[i] / all - 1); d = d < 0 ? -d : d; if (d > worst) worst = d; e = 100 * (without[i] / all - 1); e = e < 0 ? -e : e; if (e > bare) bare = e; f = 100 * (normal[i] / all - 1); f = f < 0 ? -f : f; if (f > plain) plain = f }
    for (i = 1; i <= n; i++) { d = 100 * (us[i] / zener_us - 1); d = d < 0 ? -d : d; if (d > time) time = d }
    print "worst with," worst; print "worst without," bare; print "worst normal," plain; print "worst time," time
  }' residual.txt
