#!/bin/sh
# ctest: plain
# Pure Data: scenes composed of objects in the patch sound as the same parts in a file, and parts come and go while it sounds.
exec sh "$ROOT/test/pd/run.sh" compose
