/* Files written aside: what is left of the dead goes, what the living write stays; and names that lead to one
 * file. */
#include "file/place.h"
#include "file/staged.h"

#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static char folder[PATH_MAX];

static int go_to_new_folder(void **state) {
  (void)state;
  strcpy(folder, "/tmp/contatto-staged-XXXXXX");
  return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  char command[PATH_MAX + 16];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return chdir("/") == 0 ? system(command) : -1;
}

static void put(const char *name, const char *text) {
  FILE *file = fopen(name, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static void assert_holds(const char *name, const char *text) {
  char found[100] = "";
  FILE *file = fopen(name, "r");
  assert_non_null(file);
  found[fread(found, 1, sizeof found - 1, file)] = 0;
  fclose(file);
  assert_string_equal(found, text);
}

static bool is_there(const char *name) { return access(name, F_OK) == 0; }

static ct_staged *stage(const char *target, const char *text) {
  ct_error error = {.text = ""};
  ct_staged *staged = NULL;
  assert_int_equal(ct_staged_open(target, &staged, &error), CT_OK);
  fputs(text, ct_staged_stream(staged));
  return staged;
}

static void nothing_is_there_until_kept(void **state) {
  (void)state;
  ct_error error = {.text = ""};
  char name[PATH_MAX];
  put("a", "old");
  ct_staged *both[] = {stage("a", "new"), NULL, stage("b", "more")};
  snprintf(name, sizeof name, "%s", ct_staged_name(both[0]));
  assert_int_equal(ct_staged_close(both[0], &error), CT_OK);
  assert_int_equal(ct_staged_close(both[2], &error), CT_OK);
  assert_holds("a", "old");
  assert_holds(name, "new");
  assert_false(is_there("b"));
  assert_int_equal(ct_staged_keep_all(both, 3, &error), CT_OK);
  assert_holds("a", "new");
  assert_holds("b", "more");
  assert_false(is_there(name));
  ct_staged_drop(both[0]);
  ct_staged_drop(both[2]);
  assert_holds("a", "new");
  ct_staged *dropped = stage("a", "never");
  snprintf(name, sizeof name, "%s", ct_staged_name(dropped));
  ct_staged_drop(dropped);
  assert_false(is_there(name));
  assert_holds("a", "new");
}

static void leftovers_go(void **state) {
  (void)state;
  static const char *const others[] = {".contatto-1-.part", ".contatto--1.part",    ".contatto-1-2.part2",
                                       "contatto-1-2.part", ".contatto-1-2-3.part", ".contatto-x-2.part"};
  put(".contatto-1-2.part", "left");
  put(".contatto-4000000-17.part", "left");
  put(".contatto-3-4.part", "held");
  assert_int_equal(mkdir(".contatto-5-6.part", 0777), 0);
  put("precious", "precious");
  assert_int_equal(symlink("precious", ".contatto-7-8.part"), 0);
  assert_int_equal(mkfifo(".contatto-9-10.part", 0666), 0);
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    put(others[i], "other");
  int held = open(".contatto-3-4.part", O_RDWR);
  assert_int_equal(flock(held, LOCK_EX), 0);
  ct_staged *first = stage("a", "a"), *second = stage("b", "b"); /* and these two leave each other alone */
  assert_false(is_there(".contatto-1-2.part"));
  assert_false(is_there(".contatto-4000000-17.part"));
  assert_true(is_there(".contatto-3-4.part"));
  assert_true(is_there(".contatto-5-6.part"));
  assert_true(is_there(".contatto-9-10.part"));
  assert_holds(".contatto-7-8.part", "precious");
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    assert_true(is_there(others[i]));
  assert_true(is_there(ct_staged_name(first)) && is_there(ct_staged_name(second)));
  ct_staged_drop(first);
  close(held);
  first = stage("a", "a");
  assert_false(is_there(".contatto-3-4.part"));
  ct_staged_drop(first);
  ct_staged_drop(second);
}

/* In a child, since it cannot go on afterwards. */
static void all_is_undone(void **state) {
  (void)state;
  ct_error error = {.text = ""};
  int status;
  pid_t child = fork();
  if (child == 0) {
    ct_staged *kept = stage("kept", "kept");
    ct_staged_close(kept, &error);
    ct_staged_keep(kept, &error);
    stage("x", "x");
    ct_staged_close(stage("y", "y"), &error);
    ct_undo_all();
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_holds("kept", "kept");
  assert_int_equal(system("[ \"$(ls -A | tr '\\n' ' ')\" = 'kept ' ]"), 0);
}

static void assert_resolves(const char *name, const char *to) {
  char wanted[2 * PATH_MAX];
  char *path = ct_place_resolve(name);
  snprintf(wanted, sizeof wanted, "%s%s%s", *to == '/' ? "" : folder, *to == '/' ? "" : "/", to);
  assert_non_null(path);
  assert_string_equal(path, wanted);
  free(path);
}

static void names_lead_to_files(void **state) {
  (void)state;
  assert_int_equal(mkdir("sub", 0777), 0);
  put("a", "a");
  assert_int_equal(symlink("later", "sub/soon"), 0);
  assert_int_equal(symlink("sub/soon", "sooner"), 0);
  assert_int_equal(symlink("round", "round"), 0);
  assert_resolves("a", "a");
  assert_resolves("sub/.././a", "a");
  assert_resolves("new", "new");
  assert_resolves("sub/../new", "new");
  assert_resolves("sub/soon", "sub/later");
  assert_resolves("sooner", "sub/later");
  assert_resolves("/new", "/new");
  assert_resolves("/", "/");
  assert_null(ct_place_resolve("nowhere/new"));
  assert_null(ct_place_resolve("round"));
  assert_null(ct_place_resolve("new/"));
  assert_null(ct_place_resolve(""));
}

static ct_result claim_two(const char *first, bool first_out, const char *second, bool second_out) {
  ct_claims claims = {0};
  ct_error error = {.text = ""};
  ct_result result =
      first_out ? ct_claims_write(&claims, first, &error) : ct_claims_read(&claims, first, &error);
  assert_int_equal(result, CT_OK);
  result = second_out ? ct_claims_write(&claims, second, &error) : ct_claims_read(&claims, second, &error);
  ct_claims_free(&claims);
  return result;
}

static void claims_clash(void **state) {
  (void)state;
  put("a", "a");
  assert_int_equal(link("a", "hard"), 0);
  assert_int_equal(symlink("a", "soft"), 0);
  static const char *const names[] = {"a", "./a", "hard", "soft"};
  for (size_t i = 0; i < 16; i++) {
    assert_int_equal(claim_two(names[i % 4], false, names[i / 4], false), CT_OK); /* read twice: why not */
    assert_int_equal(claim_two(names[i % 4], true, names[i / 4], false), CT_BAD_ARGUMENT);
    assert_int_equal(claim_two(names[i % 4], false, names[i / 4], true), CT_BAD_ARGUMENT);
    assert_int_equal(claim_two(names[i % 4], true, names[i / 4], true), CT_BAD_ARGUMENT);
  }
  assert_int_equal(claim_two("new", true, "./new", true), CT_BAD_ARGUMENT);
  assert_int_equal(claim_two("new", true, "newer", true), CT_OK);
  assert_int_equal(claim_two("a", false, "b", true), CT_OK);
  assert_int_equal(claim_two("/dev/null", true, "/dev/null", true), CT_OK);
}

int main(void) {
#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, go_to_new_folder, remove_folder)
  const struct CMUnitTest tests[] = {IN_A_FOLDER(nothing_is_there_until_kept), IN_A_FOLDER(leftovers_go),
                                     IN_A_FOLDER(all_is_undone), IN_A_FOLDER(names_lead_to_files),
                                     IN_A_FOLDER(claims_clash)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
