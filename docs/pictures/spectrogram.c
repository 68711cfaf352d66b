/* spectrogram FILE COLUMNS ROWS: levels of a sound file over time and frequency, as `contatto gallery` draws
 * them, as "time_s,log10_hz,db" rows; a column of the picture after the other, an empty line between them.
 * For docs/pictures/make.sh. */
#include "file/sound.h"
#include "picture/gnuplot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void print_rows(const ct_spectrogram *s, double seconds) {
  double step = log10(s->hi_hz / s->lo_hz) / (s->rows - 1);
  puts("time_s,log10_hz,db");
  for (uint32_t c = 0; c < s->columns; c++, puts(""))
    for (uint32_t r = 0; r < s->rows; r++)
      printf("%.5g,%.5g,%.2f\n", (c + 0.5) * seconds / s->columns, log10(s->lo_hz) + r * step,
             fmax(s->db[(size_t)r * s->columns + c], -100));
}

int main(int argc, char **argv) {
  ct_error error = {.text = "usage: spectrogram FILE COLUMNS ROWS"};
  ct_sound *sound = NULL;
  ct_spectrogram s = {0};
  if (argc != 4 || ct_sound_open(argv[1], &sound, &error) != CT_OK)
    return fprintf(stderr, "%s\n", error.text), 1;
  ct_windows *mono = ct_sound_mono(sound);
  const double *samples = mono->at(mono, 0, mono->count);
  if (!samples || !ct_spectrogram_make(samples, mono->count, mono->rate_hz, (uint32_t)atoi(argv[2]),
                                       (uint32_t)atoi(argv[3]), &s))
    return fprintf(stderr, "%s: cannot be read\n", argv[1]), 1;
  print_rows(&s, (double)mono->count / mono->rate_hz);
  free(s.db);
  ct_sound_close(sound);
}
