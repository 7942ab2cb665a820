import { createInterface } from 'node:readline'
import { runDaemon } from '../../src/shells/daemon/daemon.ts'
import type { DaemonEvent } from '../../src/shells/daemon/daemon-events.ts'
import { prepareWorktree } from '../../src/shells/daemon/start.ts'
import { loadConfig } from '../../src/world/intents/policy/load-policy.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'

/** What the host is asked to do, one JSON document a line. */
export type HostRequest =
  { readonly root: string; readonly env: NodeJS.ProcessEnv; readonly hasChildren: boolean } | 'stop'
/** What the host answers, one JSON document a line. */
export type HostReply = { readonly ready: true } | { readonly ended: true } | { readonly failed: string }

// A program that runs one daemon after the other, so that the daemon's code is loaded once and not for each test.
let stop = new AbortController()
const node = process.execPath

createInterface({ input: process.stdin })
  .on('line', line => {
    const request = JSON.parse(line) as HostRequest
    if (request === 'stop') return stop.abort()
    stop = new AbortController()
    void watch(request)
  })
  .on('close', () => process.exit())

async function watch({ root, env, hasChildren }: Exclude<HostRequest, 'stop'>): Promise<void> {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  // Node is started only for notes, classes, the catalogue and very large commits: `true` succeeds and does nothing.
  process.execPath = hasChildren ? node : 'true'
  try {
    const workspace = await openWorkspace(root)
    await prepareWorktree(workspace, null)
    const emit = (event: DaemonEvent): void => {
      if (event.event === 'ready') reply({ ready: true })
    }
    await runDaemon(workspace, {
      config: await loadConfig(workspace),
      emit,
      stop,
      idleMs: null,
      prefetched: null,
      watchThread: null,
    })
    reply({ ended: true })
  } catch (thrown) {
    reply({ failed: thrown instanceof Error ? `${thrown.stack}` : String(thrown) })
  }
}

function reply(answer: HostReply): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
