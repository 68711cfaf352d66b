/* contatto lab: the page with the engine in it, served to this machine's browser; or as files. */
#include "hosts/cli/cli.h"
#include "hosts/cli/lab.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PORT = 8017 };

typedef struct lab_job {
  double port;
  bool no_open;
  const char *export_to;
} lab_job;

/* ---- the browser ---- */

static bool is_set(const char *variable) {
  const char *value = getenv(variable);
  return value && *value;
}

/* A desktop to open it on; else the printed address has to do. */
static bool has_desktop(void) { return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") || is_set("BROWSER"); }

/* Quietly, and as nobody's child: browsers talk on stderr and outlive us. Signals end it as they end anybody.
 */
static void be_browser(const char *address) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int stream = 0; nowhere >= 0 && stream <= 2; stream++)
    dup2(nowhere, stream);
  setsid();
  const char *wanted = getenv("BROWSER");
  if (wanted && *wanted)
    execlp(wanted, wanted, address, (char *)NULL);
  execlp("xdg-open", "xdg-open", address, (char *)NULL);
  execlp("open", "open", address, (char *)NULL);
  _exit(127);
}

static void open_browser(const char *address) {
  pid_t child = fork();
  if (child == 0) {
    if (fork() == 0)
      be_browser(address);
    _exit(0);
  }
  if (child > 0)
    waitpid(child, NULL, 0);
}

/* ---- the two jobs ---- */

static int export_page(const char *folder, const char *to) {
  ct_error error = {.text = ""};
  if (lab_export(folder, to, &error) != CT_OK)
    return cli_fail("lab", "%s", error.text);
  printf("%s: the lab, for any web server\n", to);
  return CLI_OK;
}

static int serve(const char *folder, const lab_job *job) {
  ct_error error = {.text = ""};
  lab_server *server;
  char address[64];
  if (lab_server_start(folder, (uint16_t)job->port, &server, &error) != CT_OK)
    return cli_fail("lab", "%s", error.text);
  snprintf(address, sizeof address, "http://localhost:%u/", lab_server_port(server));
  bool opens = !job->no_open && has_desktop();
  printf("%s\n", address);
  fflush(stdout);
  fprintf(stderr, "%s; Ctrl-C ends the lab\n",
          opens ? "opening a browser" : "open this address in a browser");
  if (opens)
    open_browser(address);
  for (;;)
    pause(); /* a signal ends the process */
}

static bool parse(lab_job *j, int argc, char **argv, int *code) {
  const cli_option options[] = {
      {"port", 'p', CLI_NUMBER, &j->port, "N", "port, or the next that is free; default 8017, 0: any", 0,
       65535},
      {"no-open", 0, CLI_FLAG, &j->no_open, NULL, "only print the address", 0, 0},
      {"export", 0, CLI_OUTPUT, &j->export_to, "DIR", "write the lab as files for any web server, and end", 0,
       0},
  };
  const cli_command command = {
      "lab",
      "[OPTION]...",
      "Serves the lab, where scenes are played by touching them, to browsers on this "
      "machine, and opens one.",
      options,
      sizeof options / sizeof options[0],
      0,
      0};
  return cli_parse(&command, argc, argv, NULL, code);
}

int cmd_lab(int argc, char **argv) {
  lab_job job = {.port = PORT};
  int code;
  if (!parse(&job, argc, argv, &code))
    return code;
  ct_error error = {.text = ""};
  char *folder = lab_folder_find(&error);
  if (!folder)
    return cli_fail("lab", "%s", error.text);
  code = job.export_to ? export_page(folder, job.export_to) : serve(folder, &job);
  free(folder);
  return code;
}
