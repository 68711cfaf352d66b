/* The library's door: [declare -lib contatto], or contatto among Pd's libraries at start. */
#include "hosts/pd/contatto_pd.h"

__attribute__((visibility("default"))) void contatto_setup(void);

void contatto_setup(void) {
  ctpd_scene_setup();
  ctpd_parts_setup();
  ctpd_pad_setup();
}
