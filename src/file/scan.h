/* Scans of surfaces: heights along a line, from a table or a sound file. */
#ifndef CT_FILE_SCAN_H
#define CT_FILE_SCAN_H

#include <contatto/doc.h>

typedef struct ct_scan_file {
  double *heights; /* free() it */
  uint32_t count;
  double step_m; /* 0: the file does not say */
  bool metres;   /* else full scale is 1 */
} ct_scan_file;

/* CSV: one column of heights in metres, or x_m and height_m at even distances; a header line may name them.
 * Any other ending: a sound file, of which the first channel is taken. Refused, with the line: what is not a
 * number, or missing; what is not evenly spaced. [setup] */
ct_result ct_scan_file_read(const char *file, ct_scan_file *scan, ct_error *error);

/* Where a surface's scan lies, relative to `folder`; false when it has none, or the name is too long. [setup]
 */
bool ct_scan_path(const ct_doc *doc, uint32_t surface, const char *folder, char *path, size_t room);

/* Reads the scans that a document's surfaces name, relative to `folder`, and hands them over. [setup] */
ct_result ct_scan_files_read(ct_doc *doc, const char *folder, ct_error *error);

#endif
