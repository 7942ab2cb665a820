import { once } from 'node:events'
import { toKotefError } from '../../core/base/failure.ts'
import { exportPages } from '../ui/server/export-pages.ts'
import { makeOrderedPage } from '../ui/server/made-pages.ts'
import { runServer } from '../ui/server/run-server.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'
import { answerCaller } from './answer-caller.ts'

// What makes the pages of one worktree, which is the current folder: `serve <port>` serves them, and goes on without
// its caller once it listens; `export <folder>` writes them as files. `make` makes those that the server orders.
const [job, argument = ''] = process.argv.slice(2)
const stop = new AbortController()

async function work(): Promise<void> {
  const workspace = await openWorkspace(process.cwd())
  if (job === 'export') return report(await exportPages(workspace, argument))
  await using server = await runServer(workspace, Number(argument), () => stop.abort())
  const { url, pid } = server.address
  await report({ url, pid })
  process.disconnect?.()
  if (!stop.signal.aborted) await once(stop.signal, 'abort')
}

function report(answer: object): Promise<void> {
  return new Promise(resolve => process.send?.(answer, () => resolve()))
}

function start(): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort())
  work().then(
    () => process.exit(0),
    async (thrown: unknown) => {
      const { code, message, hint } = toKotefError(thrown)
      if (process.connected) await report({ error: { code, message, hint } })
      process.exit(1)
    },
  )
}

if (job === 'make') answerCaller(makeOrderedPage)
else start()
