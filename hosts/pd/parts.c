/* [ct.body], [ct.contact], [ct.surface], [ct.drive], [ct.source], [ct.pickup]: words under a scene's name.
 * They have no signals and do nothing but be there; what arrives at their inlet goes on to the scene, as a
 * message about their own parameters. */
#include "hosts/pd/contatto_pd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ctpd_part {
  t_object object;
  t_symbol *group, *name;
  const ctpd_section *section;
  uint32_t serial;
  ctpd_leaves leaves;
  ctpd_part *next;
  bool listed;
};

static t_class *part_class[8];
static ctpd_part *first_part;
static uint32_t last_serial;

ctpd_part *ctpd_parts_first(void) { return first_part; }
ctpd_part *ctpd_parts_next(const ctpd_part *p) { return p->next; }
t_symbol *ctpd_part_group(const ctpd_part *p) { return p->group; }
const ctpd_section *ctpd_part_section(const ctpd_part *p) { return p->section; }
t_symbol *ctpd_part_name(const ctpd_part *p) { return p->name; }
uint32_t ctpd_part_serial(const ctpd_part *p) { return p->serial; }
const ctpd_leaves *ctpd_part_leaves(const ctpd_part *p) { return &p->leaves; }
t_pd *ctpd_part_object(ctpd_part *p) { return &p->object.ob_pd; }

/* ---- coming and going ---- */

static ct_result check(const ctpd_part *p, ct_error *error) {
  ct_doc *doc = ct_doc_create();
  ct_result result = doc ? ctpd_leaves_set(&p->leaves, doc, error) : CT_NO_MEMORY;
  ct_doc_destroy(doc);
  return result;
}

static ct_result read(ctpd_part *p, int argc, const t_atom *argv, ct_error *error) {
  if (argc < 1 || argv[0].a_type != A_SYMBOL) {
    snprintf(error->text, sizeof error->text, "wants the name of a scene, then its own");
    return CT_BAD_ARGUMENT;
  }
  p->group = argv[0].a_w.w_symbol;
  ct_result result = ctpd_read_part(p->section, argc - 1, argv + 1, &p->leaves, error);
  if (result == CT_OK)
    p->name = argv[1].a_w.w_symbol;
  return result == CT_OK ? check(p, error) : result;
}

/* At the end, so that parts come in the order they were made in. */
static void enlist(ctpd_part *p) {
  ctpd_part **at = &first_part;
  while (*at)
    at = &(*at)->next;
  *at = p;
  p->listed = true;
  p->serial = ++last_serial;
  ctpd_scenes_wake(p->group);
}

/* "ct.body" and its class; null for what is none of ours. */
static int section_of(const t_symbol *s) {
  const char *dot = strrchr(s->s_name, '.');
  for (int i = 0; dot && i < ctpd_section_count; i++)
    if (strcmp(dot + 1, ctpd_sections[i].word) == 0)
      return i;
  return 0;
}

/* Words that mean nothing leave an object that does nothing. */
static void *part_new(t_symbol *s, int argc, t_atom *argv) {
  int section = section_of(s);
  ct_error error = {CT_OK, ""};
  ctpd_part *p = (ctpd_part *)pd_new(part_class[section]);
  p->section = &ctpd_sections[section];
  p->group = p->name = &s_;
  p->leaves = (ctpd_leaves){NULL, 0, 0};
  p->next = NULL;
  p->listed = false;
  if (read(p, argc, argv, &error) == CT_OK)
    enlist(p);
  else
    pd_error(p, "ct.%s: %s", p->section->word, error.text);
  return p;
}

static void part_free(ctpd_part *p) {
  ctpd_part **at = &first_part;
  while (*at && *at != p)
    at = &(*at)->next;
  if (*at)
    *at = p->next;
  if (p->listed)
    ctpd_scenes_wake(p->group);
  ctpd_leaves_free(&p->leaves);
}

/* ---- messages: "mu_static 0.5" to the part called rub is "rub.mu_static 0.5" to its scene ---- */

static void part_anything(ctpd_part *p, t_symbol *s, int argc, t_atom *argv) {
  char path[CTPD_PATH];
  if (!p->listed) {
    pd_error(p, "ct.%s: %s: it was not made", p->section->word, s->s_name);
    return;
  }
  snprintf(path, sizeof path, "%s.%.160s", p->name->s_name, s->s_name);
  ctpd_scenes_send(p->group, gensym(path), argc, argv);
}

void ctpd_parts_setup(void) {
  for (int i = 0; i < ctpd_section_count; i++) {
    char name[32];
    snprintf(name, sizeof name, "ct.%s", ctpd_sections[i].word);
    part_class[i] = class_new(gensym(name), (t_newmethod)(t_method)part_new, (t_method)part_free,
                              sizeof(ctpd_part), CLASS_DEFAULT, A_GIMME, 0);
    class_addanything(part_class[i], part_anything);
  }
}
