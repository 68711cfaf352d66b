/* Interruption. SIGINT, SIGTERM and SIGHUP are blocked everywhere and waited for on a thread of their own,
 * which removes unfinished files, ends children and then the process: whatever the command is doing, were it
 * waiting for a pipe. */
#include "file/staged.h"
#include "hosts/cli/cli.h"

#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const char *command_name = ""; /* set before the thread starts */
/* A signal handler has nowhere else to put its news. */
static volatile sig_atomic_t pipe_closed;

/* Nobody reads our output any more: the same end, without a word. The handler runs on the thread that wrote,
 * which must not go on to report the failed write. */
static void note_closed_pipe(int number) {
  (void)number;
  pipe_closed = 1;
  kill(getpid(), SIGTERM);
  for (;;)
    pause();
}

static const char *name_of(int number) {
  return number == SIGINT ? "SIGINT" : number == SIGTERM ? "SIGTERM" : "SIGHUP";
}

/* Written past stdio, whose locks the interrupted command may hold, and only if nobody has to wait for it. */
static void tell(int number) {
  char line[160];
  struct pollfd out = {.fd = STDERR_FILENO, .events = POLLOUT};
  int length = snprintf(line, sizeof line, "%scontatto%s%.60s: interrupted by %s\n",
                        isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "", *command_name ? " " : "", command_name,
                        name_of(number));
  if (poll(&out, 1, 0) == 1 && (out.revents & POLLOUT) && write(STDERR_FILENO, line, (size_t)length) < 0)
    return; /* nobody to tell */
}

static void *wait_for_end(void *set) {
  enum { SIGNAL_STATUS = 128 };
  int number = 0;
  while (sigwait(set, &number) != 0)
    ;
  ct_undo_all();
  if (!pipe_closed)
    tell(number);
  _exit(SIGNAL_STATUS + (pipe_closed ? SIGPIPE : number));
}

static bool start_waiting(sigset_t *set) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN + 65536);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  bool started = pthread_create(&thread, &attributes, wait_for_end, set) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

static bool is_ignored(int number) {
  struct sigaction before;
  return sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
}

/* Who was started with nohup stays. Without the thread the signals end the process their usual way, and the
 * next run removes what is left. A write beyond the allowed file size has to come back as an error, like a
 * full disk. */
void cli_end_on_signals(const char *command) {
  static sigset_t set;
  struct sigaction usual = {.sa_handler = SIG_DFL}, closed = {.sa_handler = note_closed_pipe};
  command_name = command;
  signal(SIGXFSZ, SIG_IGN);
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  if (!is_ignored(SIGHUP))
    sigaddset(&set, SIGHUP);
  sigaction(SIGINT, &usual, NULL);
  sigaction(SIGTERM, &usual, NULL);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (!start_waiting(&set))
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  else if (!is_ignored(SIGPIPE))
    sigaction(SIGPIPE, &closed, NULL);
}
