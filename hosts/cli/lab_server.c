/* A web server for one folder, on the loopback. The two cross-origin headers isolate the page, which is what
 * browsers want before two threads may share memory. The policy lets it ask for nothing outside, run no
 * script and no style but from files of this folder, and be shown in nobody's frame. */
#include "base/text.h"
#include "hosts/cli/lab.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PORTS_TRIED = 50, TIMEOUT_S = 30 };

struct lab_server {
  char *folder;
  lab_connections *connections;
  struct MHD_Daemon *daemon;
  _Atomic uint16_t port; /* read by the server's thread, which is there before the port is known */
};

/* ---- answers ---- */

static void add_headers(struct MHD_Response *response, const char *type) {
  static const char *const headers[][2] = {
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Embedder-Policy", "require-corp"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Content-Security-Policy",
       "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; "
       "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
      {"X-Frame-Options", "DENY"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cache-Control", "no-cache"}};
  for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
    MHD_add_response_header(response, headers[i][0], headers[i][1]);
  MHD_add_response_header(response, "Content-Type", type);
}

static enum MHD_Result reply(struct MHD_Connection *connection, unsigned status,
                             struct MHD_Response *response, const char *type) {
  if (!response)
    return MHD_NO;
  add_headers(response, type);
  if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
    MHD_add_response_header(response, "Allow", "GET, HEAD");
  enum MHD_Result sent = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return sent;
}

static enum MHD_Result send_text(struct MHD_Connection *connection, unsigned status, char *text) {
  return reply(connection, status,
               MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_PERSISTENT), "text/plain");
}

/* The response owns the open file. */
static struct MHD_Response *response_of(const char *path) {
  struct stat about;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return NULL;
  if (fstat(file, &about) == 0) {
    struct MHD_Response *response = MHD_create_response_from_fd((uint64_t)about.st_size, file);
    if (response)
      return response;
  }
  close(file);
  return NULL;
}

/* Whether a browser takes gzip: a word of its own in Accept-Encoding, not refused by q=0. */
static bool takes_gzip(struct MHD_Connection *connection) {
  const char *taken = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Accept-Encoding");
  const char *word = taken ? strstr(taken, "gzip") : NULL;
  if (!word || (word != taken && word[-1] != ' ' && word[-1] != ','))
    return false;
  const char *rest = word + strlen("gzip");
  return *rest == 0 || *rest == ',' || (*rest == ';' && strncmp(rest, ";q=0", 4) != 0);
}

/* The compressed copy beside a file, if it is not older than the file; null: there is none. */
static struct MHD_Response *compressed_of(const char *path) {
  char small[PATH_MAX];
  struct stat file, copy;
  if ((size_t)snprintf(small, sizeof small, "%s.gz", path) >= sizeof small || stat(path, &file) != 0 ||
      lstat(small, &copy) != 0 || !S_ISREG(copy.st_mode) || copy.st_mtime < file.st_mtime)
    return NULL;
  struct MHD_Response *response = response_of(small);
  if (response)
    MHD_add_response_header(response, "Content-Encoding", "gzip");
  return response;
}

static enum MHD_Result send_file(struct MHD_Connection *connection, const char *path) {
  struct MHD_Response *response = takes_gzip(connection) ? compressed_of(path) : NULL;
  if (!response)
    response = response_of(path);
  if (response)
    MHD_add_response_header(response, "Vary", "Accept-Encoding");
  return reply(connection, MHD_HTTP_OK, response, lab_file_type(path));
}

/* ---- which requests are answered ---- */

/* What a request is marked with when its path is not clean: MHD unescapes it in place before it asks. */
static char unclean;

static void *look_at_path(void *context, const char *uri, struct MHD_Connection *connection) {
  (void)context, (void)connection;
  return lab_path_is_clean(uri) ? NULL : &unclean;
}

typedef struct hosts {
  uint16_t port;
  uint32_t own, others;
} hosts;

static enum MHD_Result count_host(void *context, enum MHD_ValueKind kind, const char *key,
                                  const char *value) {
  (void)kind;
  hosts *h = context;
  if (strcasecmp(key, "Host") != 0)
    return MHD_YES;
  if (value && lab_host_is_own(value, h->port))
    h->own++;
  else
    h->others++;
  return MHD_YES;
}

static bool is_for_us(const lab_server *s, struct MHD_Connection *connection) {
  hosts found = {.port = s->port};
  MHD_get_connection_values(connection, MHD_HEADER_KIND, count_host, &found);
  return found.own == 1 && found.others == 0;
}

/* NOLINTBEGIN(bugprone-easily-swappable-parameters,readability-non-const-parameter): the library's own */
static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **request) {
  /* NOLINTEND(bugprone-easily-swappable-parameters,readability-non-const-parameter) */
  static char not_found[] = "there is no such file\n", only_get[] = "this server only gives\n",
              not_here[] = "this server answers to localhost and its own port only\n";
  const lab_server *s = context;
  (void)version, (void)upload, (void)upload_size;
  lab_connections_asked(s->connections, connection);
  if (!is_for_us(s, connection))
    return send_text(connection, MHD_HTTP_MISDIRECTED_REQUEST, not_here);
  if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
    return send_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, only_get);
  char *path = *request == &unclean ? NULL : lab_file_find(s->folder, url);
  if (!path)
    return send_text(connection, MHD_HTTP_NOT_FOUND, not_found);
  enum MHD_Result sent = send_file(connection, path);
  free(path);
  return sent;
}

/* ---- start and stop ---- */

static bool try_port(lab_server *s, uint16_t port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  s->daemon = MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO, port, NULL, NULL, answer, s, MHD_OPTION_SOCK_ADDR,
      (struct sockaddr *)&address, MHD_OPTION_CONNECTION_LIMIT, lab_connections_most(s->connections),
      MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)TIMEOUT_S, MHD_OPTION_NOTIFY_CONNECTION,
      lab_connections_notify, s->connections, MHD_OPTION_NOTIFY_COMPLETED, lab_connections_answered,
      s->connections, MHD_OPTION_URI_LOG_CALLBACK, look_at_path, NULL, MHD_OPTION_END);
  if (!s->daemon)
    return false;
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);
  s->port = info ? info->port : port;
  return true;
}

ct_result lab_server_start(const char *folder, uint16_t port, lab_server **server, ct_error *error) {
  lab_server *s = calloc(1, sizeof *s);
  if (!s || !(s->folder = strdup(folder)) || !(s->connections = lab_connections_create())) {
    lab_server_stop(s);
    return ct_fail(error, CT_NO_MEMORY, "no memory");
  }
  uint32_t last = port && port + PORTS_TRIED < UINT16_MAX ? port + PORTS_TRIED : port;
  for (uint32_t p = port; !s->daemon && p <= last; p++)
    if (!try_port(s, (uint16_t)p) && errno != EADDRINUSE && errno != EACCES)
      break;
  if (s->daemon) {
    *server = s;
    return CT_OK;
  }
  lab_server_stop(s);
  return ct_fail(error, CT_BAD_FILE, "no port from %u to %u can be listened on: %s", port, last,
                 strerror(errno));
}

uint16_t lab_server_port(const lab_server *s) { return s->port; }

void lab_server_stop(lab_server *s) {
  if (!s)
    return;
  if (s->daemon)
    MHD_stop_daemon(s->daemon);
  lab_connections_destroy(s->connections);
  free(s->folder);
  free(s);
}
