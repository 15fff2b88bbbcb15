#!/usr/bin/env bash
# Run the gate; set its verdict and comment as outputs of the step, and show the comment as its summary.
set -u +e
folder="${RUNNER_TEMP:-.}/replicability-gate"
mkdir -p "$folder"
comment="$folder/comment.md"
rm -f "$comment"
read -r -a arguments <<< "${ARGUMENTS:-}"
python -m replicability gate "$BASE" ${NEW:+"$NEW"} "${arguments[@]+"${arguments[@]}"}" \
  --markdown "$comment" --junit "$folder/junit.xml" 2> >(tee "$folder/errors.txt" >&2)
status=$?
wait
verdicts=(SHIP BLOCK "CANNOT TELL" INVALID)
if [ ! -f "$comment" ]; then
  { echo "### The gate could not judge"; echo; sed 's/^/    /' "$folder/errors.txt"; } > "$comment"
fi
cat "$comment" >> "$GITHUB_STEP_SUMMARY"
{ echo "verdict=${verdicts[$status]:-INVALID}"; echo "comment=$comment"; } >> "$GITHUB_OUTPUT"
if [ "$status" -eq 2 ] && [ "${UNSURE:-fail}" = pass ]; then
  exit 0
fi
exit "$status"
