/* Cookies of definitions: a def that was not made by its default function is caught. */
#ifndef CT_DOCUMENT_DEFAULTS_H
#define CT_DOCUMENT_DEFAULTS_H

#include <contatto/source.h>

#define CT_COOKIE_MODAL 0x0c04da11u
#define CT_COOKIE_HAND 0x0c04a4d1u
#define CT_COOKIE_STRING 0x0c045714u
#define CT_COOKIE_IMPACT 0x0c041a9cu
#define CT_COOKIE_FRICTION 0x0c04f41cu
#define CT_COOKIE_SURFACE 0x0c045e4fu
#define CT_COOKIE_DRIVE 0x0c04d41eu
#define CT_COOKIE_PICKUP 0x0c04914cu
#define CT_COOKIE_CONTROL 0x0c04c047u
#define CT_COOKIE_SOURCE 0x0c0450ceu

#endif
