/* A picture of a source's map: its regions, how they meet, and what rules in each. */
#ifndef CT_PICTURE_MAP_PICTURE_H
#define CT_PICTURE_MAP_PICTURE_H

#include <contatto/source.h>

/* "bowed_string, mode 1", "creaky_door, 60 Hz, x^1": what a region does. [any] */
void ct_region_words(const ct_region_def *region, char *text, size_t room);

/* Drawn by gnuplot, as a PNG. Refused like the source itself when the map has holes or overlaps. [setup] */
ct_result ct_map_picture_draw(const char *png, const ct_source_def *source, ct_error *error);

#endif
