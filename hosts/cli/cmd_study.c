/* contatto study: a paper's tables on stdout, its figures in a folder. */
#include "base/text.h"
#include "file/place.h"
#include "hosts/cli/cli.h"
#include "picture/picture.h"
#include "study/study.h"

#include <stdlib.h>
#include <string.h>

static int list_studies(void) {
  for (uint32_t i = 0; i < ct_study_count; i++)
    printf("%-14s %s\n%14s %s\n", ct_studies[i].name, ct_studies[i].about, "", ct_studies[i].paper);
  return CLI_OK;
}

static int no_such_study(const char *name) {
  const ct_study *nearest = ct_study_nearest(name);
  if (nearest)
    return cli_misuse("study", "no study '%.60s', did you mean %s?", name, nearest->name);
  return cli_misuse("study", "no study '%.60s', 'contatto study' lists them", name);
}

/* out/NAME, unless a folder is given, or only numbers on stdout are wanted. */
static char *folder_for(const ct_study *study, const char *given, bool csv) {
  if (csv && !given)
    return NULL;
  size_t room = strlen(study->name) + (given ? strlen(given) : 0) + 8;
  char *folder = malloc(room);
  if (folder)
    snprintf(folder, room, "%s%s", given ? given : "out/", given ? "" : study->name);
  return folder;
}

static int run_study(const ct_study *study, const char *given, const char *recording, bool csv) {
  ct_error error = {.text = ""};
  cli_warnings warnings = {0};
  char *folder = folder_for(study, given, csv);
  ct_claims claims = {0};
  ct_study_run run = {.out = stdout, .csv = csv, .folder = folder, .claims = &claims, .recording = recording};
  run.pictures = folder && ct_picture_possible();
  if (folder && !run.pictures)
    cli_warn(&warnings, "no pictures: gnuplot is not installed");
  ct_result result = recording ? ct_claims_read(&claims, recording, &error) : CT_OK;
  if (result == CT_OK)
    result = study->run(&run, &error);
  if (result == CT_OK && folder && !csv)
    printf("\nfigures in %s/\n", folder);
  ct_claims_free(&claims);
  free(folder);
  if (result == CT_OK)
    return CLI_OK;
  return cli_fail("study", "%s", error.text);
}

int cmd_study(int argc, char **argv) {
  const char *folder = NULL, *name = NULL, *recording = NULL;
  bool csv = false;
  const cli_option options[] = {
      {"out", 'o', CLI_OUTPUT, &folder, "DIR", "where figures and their numbers go; default: out/NAME", 0, 0},
      {"csv", 0, CLI_FLAG, &csv, NULL, "the table as CSV; figures only with --out", 0, 0},
      {"recording", 0, CLI_TEXT, &recording, "FILE",
       "thoret2013: a recorded squeak to set beside ours; default: a door and a glass of sonic-pi-samples, "
       "if "
       "installed",
       0, 0},
  };
  const cli_command command = {
      "study",
      "[NAME [--out DIR] [--csv] [--recording FILE]]",
      "Makes a paper's tables and figures anew, from the engine: figures as PNG and "
      "SVG, each with its numbers\n"
      "as CSV and the gnuplot script that draws them. Without NAME, lists the studies.",
      options,
      sizeof options / sizeof options[0],
      0,
      1};
  int code;
  if (!cli_parse(&command, argc, argv, &name, &code))
    return code;
  if (!name)
    return folder || csv || recording ? cli_misuse("study", "which one? 'contatto study' lists them")
                                      : list_studies();
  const ct_study *study = ct_study_find(name);
  if (study && recording && !study->listens)
    return cli_misuse("study", "--recording: %s compares with none", study->name);
  return study ? run_study(study, folder, recording, csv) : no_such_study(name);
}
