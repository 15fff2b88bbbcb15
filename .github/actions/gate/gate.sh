#!/usr/bin/env bash
# Run the gate; set its verdict and its files as outputs of the step, and show the comment as its summary.
set -u +e
folder="${RUNNER_TEMP:-.}/replicability-gate"
mkdir -p "$folder"
comment="$folder/comment.md" junit="$folder/junit.xml" errors="$folder/errors.txt"
rm -f "$comment" "$junit"

arguments=() status=""
if [[ "${ARGUMENTS:-}" == *[![:space:]]* ]]; then # on any number of lines, with quotes as in a shell
  if ! xargs printf '%s\0' <<< "$ARGUMENTS" > "$folder/arguments" 2> "$errors"; then
    echo "The input 'arguments' has a quote without its end; add it." > "$errors"
    status=3
  fi
  while IFS= read -r -d '' argument; do arguments+=("$argument"); done < "$folder/arguments"
fi
if [ -z "$status" ]; then
  python -m replicability gate "$BASE" ${NEW:+"$NEW"} ${arguments[@]+"${arguments[@]}"} \
    --markdown "$comment" --junit "$junit" 2> "$errors"
  status=$?
fi
cat "$errors" >&2

verdicts=(SHIP BLOCK "CANNOT TELL")
if [ ! -f "$comment" ]; then
  { echo "### The gate could not judge"; echo; sed 's/^/    /' "$errors"; } > "$comment"
fi
cat "$comment" >> "$GITHUB_STEP_SUMMARY"
{
  echo "verdict=${verdicts[$status]:-INVALID}"
  echo "comment=$comment"
  echo "junit=$junit"
} >> "$GITHUB_OUTPUT"
if [ "$status" -eq 2 ] && [ "${UNSURE:-fail}" = pass ]; then
  exit 0
fi
exit "$status"
