import { runDaemon } from '../../src/shells/daemon/daemon.ts'
import type { DaemonEvent } from '../../src/shells/daemon/daemon-events.ts'
import type { Clock } from '../../src/world/io/process/clock.ts'
import type { Files } from '../../src/world/io/files/files.ts'
import { flushDaemon } from '../../src/world/io/daemon-client/ask-daemon.ts'
import { loadConfig } from '../../src/world/intents/policy/load-policy.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import type { Repo } from './repo.ts'

/** A daemon in this process, with a disk and a clock that a test can break. It is stopped when the test is over. */
export type InProcessDaemon = AsyncDisposable & {
  /** The first event of this kind that it told, or tells. */
  event<K extends DaemonEvent['event']>(kind: K): Promise<Extract<DaemonEvent, { event: K }>>
  flush(): Promise<void>
}

/** Starts one; resolves when it is ready. */
export async function startInProcessDaemon(
  repo: Repo,
  ports: { files?: Files; clock?: Clock } = {},
): Promise<InProcessDaemon> {
  const workspace = await openWorkspace(repo.root, ports)
  const stop = new AbortController()
  const events: DaemonEvent[] = []
  const waiting = new Set<() => void>()
  const report = (event: DaemonEvent): void => {
    events.push(event)
    for (const look of waiting) look()
  }
  const config = await loadConfig(workspace)
  // The other backend runs in a thread, for which there is a program of its own in the package alone.
  const watch = { ...config.watch, backend: 'chokidar' } as const
  const run = runDaemon(workspace, {
    config: { ...config, watch },
    emit: report,
    stop,
    idleMs: null,
    prefetched: null,
    watchThread: null,
  })
  const event: InProcessDaemon['event'] = kind =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = events.find(it => it.event === kind)
        if (!found) return
        waiting.delete(look)
        resolve(found as never)
      }
      waiting.add(look)
      run.catch(reject)
      look()
    })
  await event('ready')
  return {
    event,
    flush: async () => void (await flushDaemon(workspace, 30_000)),
    async [Symbol.asyncDispose]() {
      stop.abort()
      await run
    },
  }
}
