/* Who is connected. A connection that asks for nothing costs its opener nothing and this program one of the
 * files it may have open, of which there are often 1024. So only so many are kept. When there are too many,
 * the one that has been waiting longest for a request is closed, and if none is waiting, the one that has
 * taken longest over an answer. A browser asks as soon as it is connected, so it is served even while others
 * hold all the rest.
 *
 * All of this is called by the server's one thread. */
#include "hosts/cli/lab.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>

enum { CONNECTIONS_MOST = 256, CONNECTIONS_LEAST = 8, FILES_OF_OUR_OWN = 32 };

/* In a ring, the longest there first. */
typedef struct ring ring;
struct ring {
  ring *before, *after;
};

typedef struct lab_visitor {
  ring place; /* first, so that a place in a ring is a visitor */
  struct MHD_Connection *connection;
} lab_visitor;

struct lab_connections {
  ring waiting, busy; /* for a request; with an answer */
  uint32_t count, most;
};

static void make_empty(ring *r) { r->before = r->after = r; }

static void take_out(ring *place) {
  place->before->after = place->after;
  place->after->before = place->before;
  make_empty(place);
}

static void move_to_end(ring *r, ring *place) {
  take_out(place);
  place->before = r->before;
  place->after = r;
  place->before->after = r->before = place;
}

/* Each may need a second file: the one it is given. */
static uint32_t connections_most(void) {
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= 2 * CONNECTIONS_MOST + FILES_OF_OUR_OWN)
    return CONNECTIONS_MOST;
  if (files.rlim_cur < 2 * CONNECTIONS_LEAST + FILES_OF_OUR_OWN)
    return CONNECTIONS_LEAST;
  return (uint32_t)(files.rlim_cur - FILES_OF_OUR_OWN) / 2;
}

lab_connections *lab_connections_create(void) {
  lab_connections *all = calloc(1, sizeof *all);
  if (!all)
    return NULL;
  make_empty(&all->waiting);
  make_empty(&all->busy);
  all->most = connections_most();
  return all;
}

void lab_connections_destroy(lab_connections *all) { free(all); }

uint32_t lab_connections_most(const lab_connections *all) { return all->most; }

/* Ends the conversation; the server reads its end and then closes the connection itself. */
static void dismiss_one(lab_connections *all) {
  ring *first = all->waiting.after != &all->waiting ? all->waiting.after : all->busy.after;
  if (first == &all->busy)
    return;
  take_out(first);
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(((lab_visitor *)first)->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  if (info)
    shutdown(info->connect_fd, SHUT_RDWR);
}

/* A quarter of the room is for those that are about to be closed. */
static lab_visitor *arrive(lab_connections *all, struct MHD_Connection *connection) {
  all->count++;
  if (all->count > all->most - all->most / 4)
    dismiss_one(all);
  lab_visitor *v = calloc(1, sizeof *v);
  if (!v)
    return NULL;
  v->connection = connection;
  make_empty(&v->place);
  move_to_end(&all->waiting, &v->place);
  return v;
}

static void leave(lab_connections *all, lab_visitor *v) {
  all->count--;
  if (v)
    take_out(&v->place);
  free(v);
}

void lab_connections_notify(void *connections, struct MHD_Connection *connection, void **visitor,
                            enum MHD_ConnectionNotificationCode code) {
  if (code == MHD_CONNECTION_NOTIFY_STARTED)
    *visitor = arrive(connections, connection);
  else
    leave(connections, *visitor);
}

static void move_visitor(struct MHD_Connection *connection, ring *to) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  if (info && info->socket_context)
    move_to_end(to, &((lab_visitor *)info->socket_context)->place);
}

void lab_connections_asked(lab_connections *all, struct MHD_Connection *connection) {
  move_visitor(connection, &all->busy);
}

void lab_connections_answered(void *connections, struct MHD_Connection *connection, void **request,
                              enum MHD_RequestTerminationCode how) {
  (void)request, (void)how;
  move_visitor(connection, &((lab_connections *)connections)->waiting);
}
