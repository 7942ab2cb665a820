import { createInterface } from 'node:readline'
import { toKotefError } from '../../src/core/base/failure.ts'
import { selectIntent } from '../../src/world/lifecycle/select-intent.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'

// A process of its own that selects each intent it is told on stdin: `won`, or the code of the refusal. With `die` it
// is killed as soon as it has the claim, before its session is written down.
const [name = '', ...more] = process.argv.slice(2)
const workspace = await openWorkspace(process.cwd())
process.stdout.write('ready\n')
for await (const intent of createInterface({ input: process.stdin })) {
  const selection = { session: `${name} ${intent}`, agent: name, model: null, intent, pid: process.pid }
  const answer = await selectIntent(killedAtFirstWrite(workspace), selection).then(
    () => 'won',
    (thrown: unknown) => toKotefError(thrown).code,
  )
  process.stdout.write(`${intent} ${answer}\n`)
}

function killedAtFirstWrite(here: typeof workspace): typeof workspace {
  if (more[0] !== 'die') return here
  // The first file that a claimed selection writes is the registry.
  const replace = (): Promise<void> => (process.kill(process.pid, 'SIGKILL'), new Promise(() => {}))
  return { ...here, files: { ...here.files, replace } }
}
