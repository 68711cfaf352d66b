/* The studies there are. */
#include "study/study.h"
#include "base/text.h"
#include "study/avanzini2002.h"
#include "study/avanzini2005.h"
#include "study/papetti2009.h"
#include "study/rath2003.h"
#include "study/thoret2013.h"

#include <string.h>

const ct_study ct_studies[] = {
    {"avanzini2002",
     "F. Avanzini, S. Serafin, D. Rocchesso, \"Modeling interactions between rubbed dry surfaces using an "
     "elasto-plastic friction model\", DAFx 2002",
     "the bowed string: figures 3, 6 and 7, Schelleng's map and Guettler's", avanzini2002_run, false},
    {"avanzini2005",
     "F. Avanzini, S. Serafin, D. Rocchesso, \"Interactive simulation of rigid body interaction with "
     "friction-induced sound generation\", IEEE Trans. Speech Audio Process. 13(5), 2005",
     "rubbed bodies: figures 2 and 4, Newton's iterations, a late force, table I measured", avanzini2005_run,
     false},
    {"papetti2009",
     "S. Papetti, F. Avanzini, D. Rocchesso, \"Energy and accuracy issues in numerical simulations of a "
     "non-linear impact model\", DAFx 2009",
     "a mass on a wall by five methods: table 1, figures 1 to 8, and one more", papetti2009_run, false},
    {"rath2003", "M. Rath, \"An expressive real-time sound model of rolling\", DAFx 2003",
     "rolling: figures 1 to 4, why it is no low-pass filter, its cost, slowing down, rolled against slid",
     rath2003_run, false},
    {"thoret2013",
     "E. Thoret, M. Aramaki, C. Gondre, R. Kronland-Martinet, S. Ystad, \"Controlling a non linear friction "
     "model for evocative sound synthesis applications\", DAFx 2013",
     "actions on objects: figures 3 to 7, inharmonicity, recorded squeaks beside ours, and the physical "
     "glass "
     "beside the obedient one",
     thoret2013_run, true},
};

const uint32_t ct_study_count = sizeof ct_studies / sizeof ct_studies[0];

const ct_study *ct_study_find(const char *name) {
  for (uint32_t i = 0; i < ct_study_count; i++)
    if (strcmp(ct_studies[i].name, name) == 0)
      return &ct_studies[i];
  return NULL;
}

const ct_study *ct_study_nearest(const char *name) {
  const ct_study *nearest = NULL;
  uint32_t least = 5; /* a name and a year: a few slips are still the same paper */
  for (uint32_t i = 0; i < ct_study_count; i++) {
    uint32_t distance = ct_edit_distance(name, ct_studies[i].name);
    if (distance < least) {
      least = distance;
      nearest = &ct_studies[i];
    }
  }
  return nearest;
}
