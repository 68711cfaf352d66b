# The numbers of docs/recordings.md on `contatto fit`: the scene that it found for a rubbed glass of Debian's
# sonic-pi-samples (CC0), docs/numbers/glass-rub.json, beside the recording.
rub=/usr/share/sonic-pi/samples/ambi_glass_rub.flac
[ -e $rub ] || { echo "fit: needs the package sonic-pi-samples" >&2 && exit 1; }
contatto fit $rub --scene "$ROOT/docs/numbers/glass-rub.json" --compare >compared.txt
{
  echo "| measure | recorded | scene | difference |"
  echo "| --- | --- | --- | --- |"
  awk '/^  (pitch|harmonic|modulation|noise)/ {
    words = $1 ~ /pitch/ && $2 != "wander" ? 1 : 2; name = $1 (words == 2 ? " " $2 : ""); unit = "";
    at = words + 3; if ($at !~ /^[-+]/) { unit = " " $at; at++ }
    digits = $(at + 1) == "cents" || $(at + 1) == "dB" || $(at + 1) == "%" ? 1 : 2
    printf "| %s | %.*f%s | %.*f%s | %+.*f %s |\n", name, (unit == "" || $1 == "modulation") ? 2 : 1, $(words + 1), unit, (unit == "" || $1 == "modulation") ? 2 : 1, $(words + 2), unit, digits, $at, $(at + 1)
  }' compared.txt
} >glass-rub.md
awk '/^  pitch wander/ { print "wander," $6 } /^  modulation rate/ { print "rate," $6 }' compared.txt
