# Starts a daemon in the background where none is running and nobody has stopped it, at most every five minutes, but once
# more if it has died. It holds none of git's pipes, or git would wait for it. It works in its worktree, as /proc shows.
own=${GIT_DIR:-.git}/kotef pid= again=
watched() {
  [ -f "$own/daemon.json" ] && { IFS= read -r pid || [ -n "$pid" ]; } 2>/dev/null <"$own/daemon.json" || return 1
  pid=${pid#*\"pid\":} pid=${pid%%[!0-9]*}
  [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null && { [ ! -e "/proc/$pid" ] || [ "/proc/$pid/cwd" -ef . ]; }
}
[ "${KOTEF-}" != 0 ] && [ "${KOTEF_AUTOSTART-}" != 0 ] && [ -z "${CI-}" ] || return 0
[ -f .orchestration/active_intents.yaml ] && [ -d "$own" ] && [ ! -e "$own/watch-stopped" ] && ! watched || return 0
[ -z "$(find "$own/autostart" -mmin -5 2>/dev/null)" ] || { [ -n "$pid" ] && [ ! -s "$own/autostart" ] && again=1; } || return 0
said=$([ -e "$own/autostart" ] || echo 'kotef: no watcher was running; starting it in the background.')
[ ! -p "$own/autostart" ] && { printf %s "$again" >"$own/autostart"; } 2>/dev/null || return 0
[ -z "$said" ] || echo "$said" >&2
sh "$kotef/agent" watch --auto </dev/null >/dev/null 2>&1 &
