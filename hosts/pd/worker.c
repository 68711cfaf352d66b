/* One thread for the whole library that builds stages and frees them. Pd's thread hands over work under a
 * mutex that the worker holds only to take it, never while it works; the audio routine knows nothing of it.
 */
#include "hosts/pd/contatto_pd.h"

#include <pthread.h>
#include <stdlib.h>

struct ctpd_job {
  ctpd_recipe recipe;
  ctpd_stage *stage; /* what was built, or what is to be freed */
  ct_error error;
  bool free_only, done, dropped;
  ctpd_job *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static ctpd_job *first, **last = &first;
static bool running;

static void free_job(ctpd_job *job) {
  ctpd_stage_free(job->stage);
  free(job);
}

static ctpd_job *next_job(void) {
  pthread_mutex_lock(&mutex);
  while (!first)
    pthread_cond_wait(&more, &mutex);
  ctpd_job *job = first;
  first = job->next;
  if (!first)
    last = &first;
  pthread_mutex_unlock(&mutex);
  return job;
}

static bool is_dropped(ctpd_job *job) {
  pthread_mutex_lock(&mutex);
  bool dropped = job->dropped;
  pthread_mutex_unlock(&mutex);
  return dropped;
}

static void *work(void *nothing) {
  for (;;) {
    ctpd_job *job = next_job();
    if (!job->free_only && !is_dropped(job))
      job->stage = ctpd_stage_build(&job->recipe, &job->error);
    pthread_mutex_lock(&mutex);
    job->done = true;
    bool mine = job->free_only || job->dropped;
    pthread_mutex_unlock(&mutex);
    if (mine)
      free_job(job);
  }
  return nothing;
}

/* Pd never tells an external that it goes: the thread lives as long as Pd does. */
static bool start_thread(void) {
  pthread_t thread;
  if (!running && pthread_create(&thread, NULL, work, NULL) == 0) {
    pthread_detach(thread);
    running = true;
  }
  return running;
}

static bool hand_over(ctpd_job *job) {
  pthread_mutex_lock(&mutex);
  bool can = start_thread();
  if (can) {
    *last = job;
    last = &job->next;
    pthread_cond_signal(&more);
  }
  pthread_mutex_unlock(&mutex);
  return can;
}

ctpd_job *ctpd_job_start(const ctpd_recipe *recipe) {
  ctpd_job *job = calloc(1, sizeof *job);
  if (!job)
    return NULL;
  job->recipe = *recipe;
  if (hand_over(job))
    return job;
  free(job);
  return NULL;
}

bool ctpd_job_take(ctpd_job *job, ctpd_stage **stage, ct_error *error) {
  pthread_mutex_lock(&mutex);
  bool done = job->done;
  pthread_mutex_unlock(&mutex);
  if (!done)
    return false;
  *stage = job->stage;
  *error = job->error;
  free(job);
  return true;
}

void ctpd_job_drop(ctpd_job *job) {
  pthread_mutex_lock(&mutex);
  bool done = job->done;
  job->dropped = true;
  pthread_mutex_unlock(&mutex);
  if (done)
    free_job(job);
}

void ctpd_stage_discard(ctpd_stage *stage) {
  ctpd_job *job = stage ? calloc(1, sizeof *job) : NULL;
  if (!job) {
    ctpd_stage_free(stage);
    return;
  }
  job->free_only = true;
  job->stage = stage;
  if (!hand_over(job))
    free_job(job);
}
