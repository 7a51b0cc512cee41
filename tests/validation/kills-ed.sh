#!/usr/bin/env bash
# The kills of kills.sh with event-driven grains.
set -u
KILLS=${KILLS:-60} VICTIM=ed exec "$(dirname "$0")/kills.sh" "$@"
