#!/bin/sh
# ctest: plain
# Pure Data: the animations of the 2005 paper are drawn by Gem, and move.
exec sh "$ROOT/test/pd/run.sh" gem
