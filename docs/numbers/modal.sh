# Numbers of docs/models/modal.md.
"$BUILD/test/test_residual" >residual.txt 2>&1
awk 'function off(x, of) { return x > of ? 100 * (x / of - 1) : 100 * (1 - x / of) }
  function worse(x, of, so_far) { x = off(x, of); return x > so_far ? x : so_far }
  { gsub(/[(),;:]/, "") }
  /^Zener/ { zener = $2; zener_us = $5; all = $9; all_us = $10 }
  /kHz/ && /without the residual/ { n++; rate[n] = $1 + 0; with[n] = $3; us[n] = $4; without[n] = $9; bare_us[n] = $10; normal[n] = $14; normal_us[n] = $15 }
  END {
    print "| steel ball, 10 mm radius, 1 m/s, on 8 mm of glass | best quality: restitution | touches for | default quality: restitution | touches for | without the residual: restitution | touches for |\n| --- | --- | --- | --- | --- | --- | --- |" >"residual.md"
    printf "| Zener\047s theory (infinite plate) | %s | %s µs | | | | |\n", zener, zener_us >"residual.md"
    printf "| 24 000 modes, apart from the engine | %s | %s µs | | | | |\n", all, all_us >"residual.md"
    for (i = 1; i <= n; i++) {
      printf "| %s kHz | %s | %s µs | %s | %s µs | %s | %s µs |\n", rate[i], with[i], us[i], normal[i], normal_us[i], without[i], bare_us[i] >"residual.md"
      worst = worse(with[i], all, worst); bare = worse(without[i], all, bare); plain = worse(normal[i], all, plain); theory = worse(with[i], zener, theory)
      time = worse(us[i], all_us, time); time = worse(us[i], zener_us, time); plain_time = worse(normal_us[i], all_us, plain_time)
    }
    print "worst with," worst; print "worst without," bare; print "worst normal," plain; print "worst theory," theory
    print "worst time," time; print "worst normal time," plain_time
  }' residual.txt

# ---- the first bounce of a ball on glass: how fast it leaves, over how fast it came
contatto render drop --preset glass --seconds 1 -o drop.wav --motion drop.csv --motion-of ball.bottom.v_m_s
awk -F, 'NR > 1 && !up { if ($2 < low) low = $2; if (low < -0.3 && $2 > 0) up = $1 } up && $1 < up + 0.004 && $2 > high { high = $2 }
  END { print "drop/glass," (-high / low) }' drop.csv
