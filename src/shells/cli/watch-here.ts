import { readDaemonAddress } from '../../world/io/daemon-client/ask-daemon.ts'
import { allowAutostart, autostartDaemon } from '../../world/io/daemon-client/autostart.ts'
import { startDetached } from '../../world/io/daemon-client/start-detached.ts'
import type { DaemonEvent } from '../daemon/daemon-events.ts'
import { stopDaemon } from '../../world/io/daemon-client/stop-daemon.ts'
import { prepareWorktree, runInForeground } from '../daemon/start.ts'
import { watcherLine } from '../../core/report/claim-line.ts'
import { conflictLine } from '../../core/report/conflict-lines.ts'
import { dayLister, recordLine } from '../../core/report/record-line.ts'
import type { VerbOutput } from '../../core/report/verb-output.ts'
import { plural, printable } from '../../core/base/printable.ts'
import { loadConfig } from '../../world/intents/policy/load-policy.ts'
import { momentText } from '../../core/report/local-time.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import { parseWholeNumber, textOption, type VerbCall } from './verb.ts'

/** `kotef watch` without `--stop`: in the foreground until a signal, or in the background. */
export async function watchHere(call: VerbCall, workspace: Workspace): Promise<VerbOutput | null> {
  // A git hook asks for a daemon only where one may start itself.
  if (call.options['auto']) return autostart(workspace)
  const idle = textOption(call, 'idle')
  const idleMs = idle === null ? null : parseWholeNumber(idle, '--idle')
  if (idleMs === null) await allowAutostart(workspace)
  const created = await prepareWorktree(workspace, call.interactive ? call.confirm : null)
  for (const line of created) call.notify(line)
  if (call.options['detach']) {
    return runningOutput(workspace, await startDetached(workspace))
  }
  if (idleMs === null) await replaceIdleDaemon(workspace, call)
  // What was created now is in no scan from before.
  const prefetched = created.length === 0 ? call.prefetched.scan : null
  const lineOf = eventLines(workspace.clock.now(), call.options)
  const { watchThread } = call.prefetched
  await runInForeground(workspace, { ...call, idleMs, lineOf, prefetched, watchThread })
  return null
}

async function autostart(workspace: Workspace): Promise<VerbOutput> {
  const pid = await autostartDaemon(workspace, await loadConfig(workspace))
  return pid === null
    ? { text: '', json: { running: false } }
    : { text: watcherLine(pid), json: { running: true, pid } }
}

async function runningOutput(workspace: Workspace, { isNew }: { readonly isNew: boolean }): Promise<VerbOutput> {
  const address = await readDaemonAddress(workspace)
  const since = isNew || !address ? '' : `, since ${momentText(address.since, workspace.clock.now())}`
  const already = isNew ? 'is' : 'is already'
  const text = `kotef ${already} watching (pid ${address?.pid}${since}). Stop it with \`kotef watch --stop\`.`
  return { text, json: { running: true, ...(address && { pid: address.pid, since: address.since }) } }
}

// A person who wants to see the writes need not know that a daemon had started itself.
async function replaceIdleDaemon(workspace: Workspace, { notify }: VerbCall): Promise<void> {
  if (!(await readDaemonAddress(workspace))?.endsWhenIdle) return
  const pid = await stopDaemon(workspace).catch(() => null)
  if (pid !== null) notify(`Stopped the daemon that had started itself (pid ${pid}); this one takes over.`)
}

function eventLines(now: number, { json, quiet }: Readonly<Record<string, unknown>>) {
  const inDays = dayLister(now)
  return (event: DaemonEvent): string | null => {
    const line = eventLine(event, { json, quiet })
    return line === null || json || event.event !== 'recorded' ? line : inDays(event.record.timestamp, line).join('\n')
  }
}

function eventLine(event: DaemonEvent, { json, quiet }: Readonly<Record<string, unknown>>): string | null {
  if (quiet && event.event === 'recorded') return null
  if (json) return JSON.stringify(event.event === 'recorded' ? event.record : event)
  if (event.event === 'problem') return `problem: ${event.message}`
  if (event.event === 'conflict') return `conflict: ${conflictLine(event.conflict)}`
  if (event.event === 'judged') return `judged ${printable(event.path)}: ${event.origin} (${event.rule})`
  if (quiet) return null
  if (event.event === 'recorded') return recordLine(event.record)
  if (event.event === 'stopped') return 'kotef stopped watching.'
  const before = event.preexisting > 0 ? `; ${plural(event.preexisting, 'file')} had changed before it started` : ''
  return `kotef is watching (pid ${event.pid})${before}. Stop it with Ctrl-C.`
}
