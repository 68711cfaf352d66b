/* Which requests are answered at all.
 *
 * A page of another site cannot read what this server gives, unless its name is made to mean 127.0.0.1 after
 * it was loaded (DNS rebinding): then the browser takes the two for one site. But it still sends that name as
 * Host, so only requests that name this machine, and the port listened on, are answered. */
#include "hosts/cli/lab.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool lab_host_is_own(const char *host, uint16_t port) {
  static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
  char own[32];
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    snprintf(own, sizeof own, "%s:%u", names[i], port);
    if (strcasecmp(host, own) == 0 || (port == 80 && strcasecmp(host, names[i]) == 0))
      return true;
  }
  return false;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c = (char)tolower((unsigned char)c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte after a '%', or -1. */
static int escaped(const char *digits) {
  int high = hex_digit(digits[0]), low = high < 0 ? -1 : hex_digit(digits[1]);
  return low < 0 ? -1 : 16 * high + low;
}

/* No file has such a name, but a reader that ends at a zero, or takes %2f for a slash, would find another's.
 */
bool lab_path_is_clean(const char *uri) {
  for (; *uri && *uri != '?'; uri++) {
    bool escape = *uri == '%';
    int byte = escape ? escaped(uri + 1) : (unsigned char)*uri;
    if (byte < ' ' || byte == 0x7f || (escape && (byte == '/' || byte == '\\')))
      return false;
  }
  return true;
}
