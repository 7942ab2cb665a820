# Shared by the hooks that come after the fact: one line for whoever judges what got in.
# Nothing depends on it, so nothing is said when it can't be written.
[ -z "${KOTEF_PROBE-}" ] || exit 86
queue=${GIT_DIR:-.git}/kotef/queue
[ "${KOTEF-}" != 0 ] || skipped=' skipped'

tell() {
  [ ! -d "${queue%/*}" ] || printf '%s\n' "$1${skipped-}" 2>/dev/null >>"$queue" || :
}
