#!/bin/sh
# ctest: plain
# Pure Data: every built-in scene as contatto render has it, in any block size, rate and company.
exec sh "$ROOT/test/pd/run.sh" same
