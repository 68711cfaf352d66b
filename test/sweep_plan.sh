# Sourced after cli.sh by tests of sweeps over several machines: a plan of 24 sounds with a scene of its own beside it, and
# the folder that one run makes of it, which every other way has to make too, byte by byte.
program=$CONTATTO
unset CONTATTO # job files would take it from here
mkdir bin
write_scene bar.json
cat >plan.json <<'END'
{"contatto_sweep": 1, "title": "Bars", "licence": "CC0-1.0", "write": "wav", "scene": "bar.json", "preset": "hard",
 "seconds": 0.05, "sample": "halton", "count": 24, "seed": "each",
 "vary": {"hammer.modes.0.v_m_s": {"min": 0.5, "max": 3}, "bar.modes.0.hz": {"min": 200, "max": 900, "scale": "log"}}}
END
"$program" sweep plan.json -o whole >.stdout || wrong "one run fails"
[ "$(find whole/sounds -name '*.wav' | wc -l)" -eq 24 ] || wrong "not 24 sounds in one run"

# Every file, and its bytes.
same_as_whole() { # folder
  diff -r whole "$1" >.difference 2>&1 || wrong "$1 is not what one run makes: $(head -n 5 .difference)"
  "$program" sweep --check "$1" >.stdout 2>&1 || wrong "$1 does not stand its check: $(cat .stdout)"
}

# What the program says to type: its indented lines.
typed() { sed -n 's/^    //p' "$1"; } # what it said

# write_holding FILE PLACE: a `contatto` that, as long as `hold` is there, stops the program at the first sound of a shard and
# adds a line to held-PLACE (a word of shell): its own process and the program's, to be ended when that place is lost.
write_holding() {
  cat >"$1" <<END
#!/bin/sh
[ -e "$folder/hold" ] || exec "$program" "\$@"
case "\$*" in *' --shard '*) ;; *) exec "$program" "\$@" ;; esac
"$program" "\$@" &
job=\$!
while [ "\$1" != -o ]; do shift; done
while kill -0 \$job && ! ls "\$2"/sounds/*/*.wav; do sleep 0.01; done >/dev/null 2>&1
kill -s STOP \$job
echo \$\$ \$job >>"$folder/held-$2"
while [ -e "$folder/hold" ] && kill -0 $$ 2>/dev/null; do sleep 0.05; done
kill -s CONT \$job
wait \$job
END
  chmod +x "$1"
}
