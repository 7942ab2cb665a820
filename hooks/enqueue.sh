# Shared by the hooks that run after a commit: appends one line to the queue that the next judgement reads.
# That judgement finds new commits without it as well, so a failed write is ignored. A pipe would be waited for.
[ -z "${KOTEF_PROBE-}" ] || exit 86
queue=${GIT_DIR:-.git}/kotef/queue
[ "${KOTEF-}" != 0 ] || skipped=' skipped'

enqueue() {
  [ ! -d "${queue%/*}" ] || [ -p "$queue" ] || printf '%s\n' "$1${skipped-}" 2>/dev/null >>"$queue" || :
}
