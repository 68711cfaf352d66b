# ctest: slow
# contatto study thoret2013: every file is made, and the numbers say what docs/studies/thoret2013.md says of them.
. "$ROOT/test/cli.sh"

# ---- recordings that cannot be taken: one sentence, before anything is made
python=$(command -v /usr/bin/python3 || command -v python3) || { echo "needs python3" && exit 77; }
"$python" - <<'END'
import math, random, struct, wave
random.seed(5)
def write(name, seconds, value):
    with wave.open(name, "wb") as out:
        out.setnchannels(1), out.setsampwidth(2), out.setframerate(44100)
        out.writeframes(b"".join(struct.pack("<h", round(32767 * value(n / 44100))) for n in range(round(44100 * seconds))))
write("silence.wav", 1, lambda t: 0)
write("short.wav", 0.1, lambda t: 0.5 * math.sin(2000 * t))
write("hiss.wav", 1, lambda t: random.uniform(-0.3, 0.3))
END
echo "no sound" >words.wav
refused 1 "silence.wav: is silent" "$CONTATTO" study thoret2013 --recording silence.wav --out never
refused 1 "short.wav: lasts 0.1 s; wants a squeak, 0.3 to 60 s" "$CONTATTO" study thoret2013 --recording short.wav --out never
refused 1 "hiss.wav: nothing in it has a pitch" "$CONTATTO" study thoret2013 --recording hiss.wav --out never
refused 1 "words.wav: .*wants a WAV file" "$CONTATTO" study thoret2013 --recording words.wav --out never
refused 1 "none.wav" "$CONTATTO" study thoret2013 --recording none.wav --out never
refused 2 "rath2003 compares with none" "$CONTATTO" study rath2003 --recording silence.wav --out never
[ ! -e never ] || wrong "a folder was made for a recording that was refused"

"$CONTATTO" study thoret2013 --csv --out made >table.csv 2>.stderr || wrong "fails: $(cat .stderr)"
[ ! -s .stderr ] || wrong "complains: $(cat .stderr)"

for name in fig3_belt fig3_levels fig4_creak fig4_creak_f0 fig4_door fig5_squeak fig5_squeak_f0 fig5_struck fig6_goblet fig6_goblet_f0 \
  fig6_glass fig7_plane fig7_pitch inharmonicity glass_friction glass_source; do
  [ "$(wc -l <"made/$name.csv")" -gt 8 ] || wrong "no numbers in $name.csv"
done
for name in fig3 fig4 fig5 fig6 fig7 glasses; do
  ! command -v gnuplot >/dev/null || [ "$(head -c 4 "made/$name.png" | tail -c 3)" = PNG ] || wrong "no $name.png"
  ! command -v gnuplot >/dev/null || grep -q '</svg>' "made/$name.svg" || wrong "no $name.svg"
done

# harmonic within 2e-4 per partial, sources and friction alike; the struck bar is not
[ "$(head -n 1 table.csv)" = table,of,quantity,value ] || wrong "header: $(head -n 1 table.csv)"
awk -F, '$1 == "inharmonicity" && $3 == "slope" { seen++; off = $4 < 0 ? -$4 : $4
    if ($2 ~ /struck/ ? off < 5e-3 : !(off < 2e-4)) { print $2, $4; bad = 1 } }
  $1 == "inharmonicity" && $3 == "partials" && $4 < 200 { print; bad = 1 }
  END { exit bad || seen != 8 }' table.csv || wrong "inharmonicity"
# the plate passes its modes and stays on none: half the time its pitch moves by more than 0.2 % in 10 ms
awk -F, 'NR > 20 && last > 0 { d = $2 / last - 1; moving += d > 0.002 || d < -0.002; n++ } { last = $2 }
  END { exit !(moving > 0.4 * n) }' made/fig5_squeak_f0.csv || wrong "the plate's pitch stands still"
# figure 7: sings at the mode between the boundaries, one of which is left later than it is entered
awk -F, 'NR > 1 && $2 > 0.1 && $2 < 0.42 && ($3 < 529.2 || $3 > 529.4) { bad = 1 }
  NR > 1 && $4 == 1 && $2 < 0.09 && $2 > 0.082 && $3 > 529.2 && $3 < 529.4 { early = 1 }
  NR > 1 && $4 == 0 && $2 < 0.078 && $2 > 0.071 && ($3 < 529.2 || $3 > 529.4) { gone = 1 }
  END { exit bad || early || gone }' made/fig7_pitch.csv || wrong "figure 7 does not hold its modes"
# friction falls silent when too fast; the map squeaks there
awk -F, 'NR > 1 && $1 > 0.5 && $3 != 0 { exit 1 }' made/glass_friction.csv || wrong "friction sounds when too fast"
awk -F, 'NR > 1 && $1 > 0.5 && $2 > 0.25 && $3 != 3 { exit 1 } $3 ~ /nan/ { exit 1 }' made/glass_source.csv || wrong "the map is not heard"
# the rubbed glass sings at one pitch nearly all the time, and is harmonic; the door that falls shut is mostly noise
if [ -e /usr/share/sonic-pi/samples/ambi_glass_rub.flac ]; then
  awk -F, '{ gsub(/"/, "") } $1 == "recorded" { v[$2 "/" $3] = $4 }
    END { exit !(v["ambi_glass_rub/sings"] > 0.85 && v["ambi_glass_rub/octaves"] < 0.05 && v["ambi_glass_rub/slope"] ^ 2 < 1e-6 &&
      v["perc_door/sings"] == 0 && v["perc_door/pitched"] < 0.6 && v["singing glass (friction)/sings"] > 0.9) }' table.csv ||
    wrong "recordings: $(grep recorded table.csv)"
  for name in recorded1 recorded1_f0 recorded1_ours recorded2 recorded2_f0 recorded2_ours; do
    [ "$(wc -l <"made/$name.csv")" -gt 50 ] || wrong "no numbers in $name.csv"
  done
fi
pages_agree thoret2013
finish
