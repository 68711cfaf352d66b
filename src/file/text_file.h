/* A whole text file in memory. */
#ifndef CT_FILE_TEXT_FILE_H
#define CT_FILE_TEXT_FILE_H

#include <contatto/base.h>

#define CT_TEXT_FILE_MOST (64u << 20) /* bytes; a larger one is not a scene or a gesture */

/* Zero-terminated, without the byte order mark some programs begin UTF-8 with; free() it. Refused: missing,
 * unreadable, a folder, too large, holding zero bytes or UTF-16. [setup] */
ct_result ct_text_file_read(const char *file, char **text, size_t *length, ct_error *error);

#endif
