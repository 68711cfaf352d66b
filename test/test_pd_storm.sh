#!/bin/sh
# ctest: timeout=900
# Pure Data: nonsense and storms of messages, creations and deletions; with the sanitizers, in their build.
exec sh "$ROOT/test/pd/run.sh" storm
