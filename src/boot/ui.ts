import { once } from 'node:events'
import { toKotefError } from '../findings/failure.ts'
import { runServer } from '../ui/run-server.ts'
import { openWorkspace } from '../worktree/workspace.ts'

// The server of the pages of one worktree, which is the current folder. It reports to its caller once it listens, and
// goes on without it.
const [port = '0'] = process.argv.slice(2)
const stop = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort())

async function serve(): Promise<void> {
  const workspace = await openWorkspace(process.cwd())
  await using server = await runServer(workspace, Number(port), () => stop.abort())
  const { url, pid } = server.address
  process.send?.({ url, pid }, () => process.disconnect?.())
  if (!stop.signal.aborted) await once(stop.signal, 'abort')
}

serve().then(
  () => process.exit(0),
  (thrown: unknown) => {
    const { code, message, hint } = toKotefError(thrown)
    if (!process.connected) process.exit(1)
    process.send?.({ error: { code, message, hint } }, () => process.exit(1))
  },
)
