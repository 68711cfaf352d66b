/* What every other header needs: results, one-line errors, export marks.
 *
 * Every public declaration carries one of three marks.
 *   [setup]  may allocate and may fail; never call it on the audio thread
 *   [audio]  no allocation, lock, file, print or system call; bounded work
 *   [any]    pure: reads its arguments only
 * [setup] calls on one scene come from one thread at a time; [audio] calls on it from one thread at a time;
 * the two may run at once and meet only in the scene's lock-free queue.
 *
 * A program goes on working with a newer library, and with an older one as long as it asks for nothing that
 * one does not know. Definitions (ct_..._def), ct_io, and what is read back as a whole (ct_ledger,
 * ct_counters, ct_fault, ct_bound, ct_control_info, ct_leaf) get new fields at their end; small inline
 * functions tell the library how large the caller's struct is. All other structs stay as they are. */
#ifndef CONTATTO_BASE_H
#define CONTATTO_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define CT_DECLARATIONS_BEGIN extern "C" {
#define CT_DECLARATIONS_END }
#else
#define CT_DECLARATIONS_BEGIN
#define CT_DECLARATIONS_END
#endif

#define CT_VERSION "0.1.0" /* of these headers; ct_version() is the library's */
#define CT_FILE_VERSION 1  /* the number behind "contatto" in a scene file */

/* CT_SHARED: the libraries are DLLs; the package's targets and pkg-config files say so. Each library has a
 * mark of its own (CT_API, CT_MEASURE_API, CT_FILE_API), since one DLL is another's host. */
#if defined(_WIN32) && defined(CT_SHARED)
#define CT_EXPORT __declspec(dllexport)
#define CT_IMPORT __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define CT_EXPORT __attribute__((visibility("default")))
#define CT_IMPORT CT_EXPORT
#else
#define CT_EXPORT
#define CT_IMPORT
#endif

#ifdef CT_BUILDING
#define CT_API CT_EXPORT
#else
#define CT_API CT_IMPORT
#endif

#define CT_NAME_MAX 48 /* bytes of a name, with its closing zero */
#define CT_TEXT_MAX 320

CT_DECLARATIONS_BEGIN

typedef enum ct_result {
  CT_OK = 0,
  CT_BAD_ARGUMENT, /* a null pointer, a definition that did not come from its default function */
  CT_BAD_PATH,     /* no such parameter, body, point, contact ... */
  CT_BAD_VALUE,    /* out of range, not a number, wrong type */
  CT_BAD_SCENE,    /* parts that do not fit together */
  CT_FULL,         /* the scene's capacity or its queue is used up; nothing has changed */
  CT_NO_MEMORY,
  CT_BAD_FILE,   /* cannot be read or written, or is not what it should be */
  CT_NOT_FINITE, /* what was computed is no longer a number, or too large for one */
  CT_BROKEN,     /* an energy account that does not close */
} ct_result;

/* One clear line: what, where, what would be right. Filled on failure, untouched on success. */
typedef struct ct_error {
  ct_result code;
  char text[CT_TEXT_MAX];
} ct_error;

/* A part of a scene: what adding returns. All zero is none. A part that was removed is dead: its id names
 * nobody ever after. A place in a scene counts whom it has had; should one have had 2^32 - 1, it is given to
 * nobody else. */
typedef struct ct_id {
  uint32_t index, generation;
} ct_id;

static inline bool ct_id_is_none(ct_id id) { return id.generation == 0; }
/* For calls in a row: CT_OK, or why nothing was added, by the error that was given to the call. */
static inline ct_result ct_added(ct_id id, const ct_error *error) {
  return !ct_id_is_none(id) ? CT_OK : error ? error->code : CT_BAD_ARGUMENT;
}

CT_API const char *ct_result_text(ct_result result); /* [any] */
CT_API const char *ct_version(void);                 /* [any] of the library: "0.1.0" */

CT_DECLARATIONS_END

#endif
