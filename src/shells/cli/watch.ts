import { forbidAutostart } from '../../world/io/daemon-client/autostart.ts'
import { stopDaemon } from '../../world/io/daemon-client/stop-daemon.ts'
import type { VerbOutput } from '../../core/report/verb-output.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'
import type { VerbCall } from './verb.ts'

/** `kotef watch`: in the foreground until a signal, or `--detach`, or `--stop`. */
export async function run(call: VerbCall): Promise<VerbOutput | null> {
  const workspace = await openWorkspace(call.cwd)
  // Stopping a daemon needs little of its code, which takes long to load.
  if (!call.options['stop']) return (await import('./watch-here.ts')).watchHere(call, workspace)
  await forbidAutostart(workspace)
  const stopped = await stopDaemon(workspace)
  return { text: `kotef stopped watching (pid ${stopped}).`, json: { running: false, stopped } }
}
