import { readDaemonAddress } from '../daemon-client/ask-daemon.ts'
import type { DaemonEvent } from '../daemon/daemon-events.ts'
import { prepareWorktree, runInForeground, startDetached, stopDaemon } from '../daemon/start.ts'
import { dayLister, recordLine } from '../report/record-line.ts'
import type { VerbOutput } from '../report/verb-output.ts'
import { plural, printable } from '../text/printable.ts'
import { openWorkspace } from '../worktree/workspace.ts'
import type { VerbCall } from './verb.ts'

/** `kotef watch`: in the foreground until a signal, or `--detach`, or `--stop`. */
export async function run(call: VerbCall): Promise<VerbOutput | null> {
  const workspace = await openWorkspace(call.cwd)
  if (call.options['stop']) {
    const stopped = await stopDaemon(workspace)
    return { text: `kotef stopped watching (pid ${stopped}).`, json: { running: false, stopped } }
  }
  for (const line of await prepareWorktree(workspace, call.interactive ? call.confirm : null)) call.notify(line)
  if (call.options['detach']) {
    const text = `kotef is watching (pid ${await startDetached(workspace)}). Stop it with \`kotef watch --stop\`.`
    const address = await readDaemonAddress(workspace)
    return { text, json: { running: true, ...(address && { pid: address.pid, since: address.since }) } }
  }
  await runInForeground(workspace, { ...call, lineOf: eventLines(workspace.clock.now(), call.options) })
  return null
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
  if (event.event === 'judged') return `judged ${printable(event.path)}: ${event.origin} (${event.rule})`
  if (quiet) return null
  if (event.event === 'recorded') return recordLine(event.record)
  if (event.event === 'stopped') return 'kotef stopped watching.'
  const before = event.preexisting > 0 ? `; ${plural(event.preexisting, 'file')} had changed before it started` : ''
  return `kotef is watching (pid ${event.pid})${before}. Stop it with Ctrl-C.`
}
