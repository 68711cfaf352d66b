# The numbers of docs/recordings.md: what the modes found in Debian's sonic-pi-samples (CC0) leave of their sound.
samples=/usr/share/sonic-pi/samples
[ -d $samples ] || { echo "recordings: needs the package sonic-pi-samples" >&2 && exit 1; }
found() { # name, recording, modes
  contatto modes "$samples/$2.flac" --modes "$3" --json >"$1.json"
  for field in distance_db distance_over_noise_db explained; do
    value=$(sed -n "s/^ *\"$field\": \([-0-9.e+]*\),*$/\1/p" "$1.json")
    echo "$1/$field,$value"
  done
}
{ found bell perc_bell 40 && found cowbell drum_cowbell 20 && found triangle elec_triangle 20; } >distances.csv
cat distances.csv
# the table; distances to a tenth of a decibel
value() { awk -F, -v key="$1" '$1 == key { print $2 }' distances.csv; }
{
  echo "| recording | modes | energy explained | distance | of cells over the noise |"
  echo "| --- | --- | --- | --- | --- |"
  for row in "bell perc_bell 40" "cowbell drum_cowbell 20" "triangle elec_triangle 20"; do
    # shellcheck disable=SC2086 # three words
    set -- $row
    awk -v name="$2" -v modes="$3" -v share="$(value "$1/explained")" -v all="$(value "$1/distance_db")" \
      -v over="$(value "$1/distance_over_noise_db")" \
      'BEGIN { printf "| %s | %d | %.0f %% | %.1f dB | %.1f dB |\n", name, modes, 100 * share, all, over }'
  done
} >recordings.md
# and what the thump does to a body that is struck
{
  echo "| recording | thump | without it | with it |"
  echo "| --- | --- | --- | --- |"
  for row in "bell perc_bell 40" "cowbell drum_cowbell 20" "triangle elec_triangle 20" "tom drum_tom_mid_soft 40"; do
    # shellcheck disable=SC2086 # three words
    set -- $row
    "$BUILD/test/test_modes_thump" "$1" "$samples/$2.flac" "$3" >thump.csv || exit 1
    awk -F, -v name="$2" '{ sub(".*/", "", $1); of[$1] = $2 }
      END { printf "| %s | %.0f ms | %.1f dB | %.1f dB |\n", name, of["thump_ms"], of["struck_db"], of["with_thump_db"] }' thump.csv
  done
} >thumps.md
