/* The parts of `contatto lab`: the folder of the page, serving it, copying it. */
#ifndef CT_CLI_LAB_H
#define CT_CLI_LAB_H

#include <contatto/base.h>

#include <microhttpd.h>

/* Where the page lies: beside the program in a build tree, under share/ once installed, or where CONTATTO_LAB
 * says. Yours to free; null with a line in *error. */
char *lab_folder_find(ct_error *error);

/* The file a request means: inside the folder whatever the request says. Yours to free; null: there is none.
 */
char *lab_file_find(const char *folder, const char *url);
const char *lab_file_type(const char *path); /* for Content-Type */

/* Copies the folder: a site for any web server. */
ct_result lab_export(const char *folder, const char *to, ct_error *error);

/* Whether a request's Host is this machine's own name at this port. */
bool lab_host_is_own(const char *host, uint16_t port);

/* False for an address, as it was sent, whose path has control characters in it, plain or as %00, an escaped
 * slash, or a % that starts no escape. */
bool lab_path_is_clean(const char *uri);

/* Who is connected; see lab_connections.c. */
typedef struct lab_connections lab_connections;

lab_connections *lab_connections_create(void); /* null: no memory */
void lab_connections_destroy(lab_connections *connections);
uint32_t lab_connections_most(const lab_connections *connections);
void lab_connections_asked(lab_connections *connections, struct MHD_Connection *connection);
/* For MHD_OPTION_NOTIFY_CONNECTION and _COMPLETED; `connections` is a lab_connections. */
void lab_connections_notify(void *connections, struct MHD_Connection *connection, void **visitor,
                            enum MHD_ConnectionNotificationCode code);
void lab_connections_answered(void *connections, struct MHD_Connection *connection, void **request,
                              enum MHD_RequestTerminationCode how);

typedef struct lab_server lab_server;

/* On the loopback, at `port` or the next one that is free; 0: any. */
ct_result lab_server_start(const char *folder, uint16_t port, lab_server **server, ct_error *error);
uint16_t lab_server_port(const lab_server *server);
void lab_server_stop(lab_server *server);

#endif
