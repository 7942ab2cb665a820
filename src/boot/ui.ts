import { toKotefError } from '../findings/failure.ts'
import { servePages } from '../ui/serve-pages.ts'
import { openWorkspace } from '../worktree/workspace.ts'

// The server of the pages of one worktree, which is the current folder. It reports to its caller once it listens, and
// goes on without it.
const [port = '0'] = process.argv.slice(2)

openWorkspace(process.cwd())
  .then(workspace => servePages(workspace, Number(port)))
  .then(
    ({ url }) => process.send?.({ url, pid: process.pid }, () => process.disconnect()),
    (thrown: unknown) => {
      const { code, message, hint } = toKotefError(thrown)
      process.send?.({ error: { code, message, hint } }, () => process.exit(1))
    },
  )
