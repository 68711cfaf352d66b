#!/bin/sh
# ctest: plain
# Pure Data: inlets, outlets, answers, the panel, loading while it sounds, and controls that move without a click.
exec sh "$ROOT/test/pd/run.sh" objects
