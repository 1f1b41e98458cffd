#!/usr/bin/env bash
# Prints the parts of .ci/run that a change needs, as JSON. EVENT is the event of GitHub, BASE the revision before it.
set -euo pipefail
parts=(check private test start)
if [ "${EVENT:-}" = schedule ]; then
  parts+=(adoption site schemathesis faults mutation)
else
  changed=$(git diff --name-only --merge-base "$BASE")
  concerns() { grep -qE "$1" <<<"$changed"; }
  if concerns '(^|/)package(-lock)?\.json$|^packages/[^/]+/(templates|src)/|^test/(publishing|adoption)/'; then parts+=(adoption); fi
  if concerns '\.md$|^docs/|^test/site/|^packages/service/src/docs/'; then parts+=(site); fi
  if concerns '^packages/(contract|stubwright|mock)/src/|^test/schemathesis/'; then parts+=(schemathesis); fi
  if concerns '^packages/store/src/|^test/faults/'; then parts+=(faults); fi
  if concerns '^packages/[^/]+/src/' && [ "${EVENT:-}" = pull_request ]; then parts+=(mutation); fi
fi
printf '%s\n' "${parts[@]}" | sed 's/.*/"&"/' | paste -sd, | sed 's/.*/[&]/'
