/* contatto: a scene of bodies and contacts, computed from physics, that sounds and never gains energy.
 * Include this; link libcontatto and libm. */
#ifndef CONTATTO_H
#define CONTATTO_H

#include "base.h"
#include "defs.h"
#include "doc.h"
#include "impact.h"
#include "limiter.h"
#include "material.h"
#include "mesh.h"
#include "object.h"
#include "pen.h"
#include "scene.h"
#include "schema.h"
#include "shape.h"
#include "source.h"

#endif
