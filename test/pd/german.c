/* A library for Pd that gives its whole process the user's locale, as some do. */
#include <locale.h>
#include <m_pd.h>
#include <stdio.h>

void german_setup(void);

void german_setup(void) {
  char text[16];
  setlocale(LC_ALL, "");
  snprintf(text, sizeof text, "%g", 0.5);
  post("german: one half is %s", text);
}
