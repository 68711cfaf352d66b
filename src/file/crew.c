/* One counter under a lock deals out the jobs; whoever runs out of them leaves. */
#include "file/crew.h"
#include "base/text.h"

#include <unistd.h>

typedef struct crew {
  ct_crew_job *job;
  void *context;
  pthread_mutex_t lock; /* holds what follows */
  uint32_t next, count;
  uint32_t failed; /* index of the failure in `result` and `error` */
  ct_result result;
  ct_error error;
} crew;

/* After a failure only the jobs before it are of interest; they have been dealt out already. */
static bool take(crew *c, uint32_t *index) {
  pthread_mutex_lock(&c->lock);
  bool more = c->next < c->count && c->result == CT_OK;
  if (more)
    *index = c->next++;
  pthread_mutex_unlock(&c->lock);
  return more;
}

static void fail(crew *c, uint32_t index, ct_result result, const ct_error *error) {
  pthread_mutex_lock(&c->lock);
  if (c->result == CT_OK || index < c->failed) {
    c->result = result;
    c->failed = index;
    c->error = *error;
  }
  pthread_mutex_unlock(&c->lock);
}

static void *work(void *argument) {
  crew *c = argument;
  uint32_t index;
  while (take(c, &index)) {
    ct_error error = {.text = ""};
    ct_result result = c->job(c->context, index, &error);
    if (result != CT_OK)
      fail(c, index, result, &error);
  }
  return NULL;
}

ct_result ct_crew_run(uint32_t wanted, uint32_t count, ct_crew_job *job, void *context, ct_error *error) {
  crew c = {.job = job, .context = context, .count = count, .error = {.text = ""}};
  pthread_t helpers[CT_CREW_MOST];
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  uint32_t threads = wanted ? wanted : (uint32_t)(cores > 0 ? cores : 1), made = 0;
  threads = threads < CT_CREW_MOST ? threads : CT_CREW_MOST;
  threads = threads < count ? threads : count;
  pthread_mutex_init(&c.lock, NULL);
  while (made + 1 < threads && pthread_create(&helpers[made], NULL, work, &c) == 0)
    made++; /* too few are as good, only slower */
  work(&c);
  for (uint32_t i = 0; i < made; i++)
    pthread_join(helpers[i], NULL);
  pthread_mutex_destroy(&c.lock);
  return c.result == CT_OK ? CT_OK : ct_fail(error, c.result, "%s", c.error.text);
}

void *ct_crew_take(ct_crew_shelf *s) {
  pthread_mutex_lock(&s->lock);
  void *item = s->count ? s->items[--s->count] : NULL;
  pthread_mutex_unlock(&s->lock);
  return item;
}

void ct_crew_give(ct_crew_shelf *s, void *item) {
  pthread_mutex_lock(&s->lock);
  s->items[s->count++] = item;
  pthread_mutex_unlock(&s->lock);
}
