import { askInSession, beginSession } from '../../src/world/handover/operations.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'

// A process of its own that asks so many questions in a session, each in a write of its own; it prints each that is
// acknowledged.
const [session = '', count = '0', name = ''] = process.argv.slice(2)
const workspace = await openWorkspace(process.cwd())
if (count === 'new') process.stdout.write(`${await beginSession(workspace, session, false)}\n`)
else
  for (let n = 0; n < Number(count); n++) {
    await askInSession(workspace, session, { questions: [{ question: `${name} ${n}` }] })
    process.stdout.write(`${name} ${n}\n`)
  }
