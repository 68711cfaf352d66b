/* WebAssembly only. The C library's formatter, which snprintf needs, also knows how to complain on stderr,
 * and so would import system calls that are never made. They are answered here instead, by the names under
 * which the C library imports them: the module imports nothing. Any other call to the system still shows up
 * as an import. */
#include <stdint.h>

enum { NOT_HERE = 52 }; /* WASI's ENOSYS */

int32_t __imported_wasi_snapshot_preview1_fd_close(int32_t fd);
int32_t __imported_wasi_snapshot_preview1_fd_seek(int32_t fd, int64_t offset, int32_t whence, int32_t result);
int32_t __imported_wasi_snapshot_preview1_fd_write(int32_t fd, int32_t parts, int32_t count, int32_t written);

int32_t __imported_wasi_snapshot_preview1_fd_close(int32_t fd) {
  (void)fd;
  return NOT_HERE;
}

int32_t __imported_wasi_snapshot_preview1_fd_seek(int32_t fd, int64_t offset, int32_t whence,
                                                  int32_t result) {
  (void)fd, (void)offset, (void)whence, (void)result;
  return NOT_HERE;
}

int32_t __imported_wasi_snapshot_preview1_fd_write(int32_t fd, int32_t parts, int32_t count,
                                                   int32_t written) {
  (void)fd, (void)parts, (void)count, (void)written;
  return NOT_HERE;
}
