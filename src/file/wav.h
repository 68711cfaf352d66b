/* Writing sound files, block by block: WAV with 32-bit float, or 64-bit float for signals in SI units; or,
 * when the name ends in .flac, FLAC with 24 bits. */
#ifndef CT_FILE_WAV_H
#define CT_FILE_WAV_H

#include "file/staged.h"
#include <contatto/scene.h>

typedef struct ct_wav ct_wav;

/* A sample as a FLAC file keeps it: within 2^-24, and full scale at most. [any] */
double ct_flac_rounded(double sample);

/* `frames` is how many will be written; it only decides whether the file needs the format for more than 4 GB.
 * [setup] */
ct_result ct_wav_open(const char *file, double rate_hz, uint32_t channels, bool wide, uint64_t frames,
                      ct_wav **wav, ct_error *error);
/* One buffer per channel. [setup] */
ct_result ct_wav_write(ct_wav *wav, const float *const *channels, uint32_t frames, ct_error *error);
/* Frame by frame. [setup] */
ct_result ct_wav_write_woven(ct_wav *wav, const double *samples, size_t frames, ct_error *error);
ct_result ct_wav_write_wide(ct_wav *wav, const double *const *channels, uint32_t frames, ct_error *error);

/* Complete but not yet in place; what keeps it, alone or with others, null for null; then gone (with the
 * file, if it was not kept). [setup] */
ct_result ct_wav_close(ct_wav *wav, ct_error *error);
ct_staged *ct_wav_staged(ct_wav *wav);
void ct_wav_drop(ct_wav *wav);
/* All three if `result`, of what was written, is good; else it is dropped. Null is fine. [setup] */
ct_result ct_wav_finish(ct_wav *wav, ct_result result, ct_error *error);

#endif
