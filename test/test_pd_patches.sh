#!/bin/sh
# ctest: plain
# Pure Data: every object, help patch and example loads without a complaint, and sounds as loud as it says.
exec sh "$ROOT/test/pd/run.sh" patches
