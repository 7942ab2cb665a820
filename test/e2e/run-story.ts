import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelRequest } from './models/protocol.ts'
import type { Story, StoryContext } from './story.ts'

const CHECK = 'test -f lib/done.ts'

/** The intent of these stories: it owns `lib/`, and is done when `lib/done.ts` is there. */
export const CHECKED_INTENT = ['--id', 'INT-002', '--name', 'the rest', '--scope', 'lib/**', '--check', CHECK]

/** A session that repeats a command that fails, whatever it is answered. */
export async function* loopingSession({ repo, check }: StoryContext): Story {
  yield { do: 'kotef', tool: 'select_active_intent', input: { intent_id: 'INT-002' } }
  let asked: ModelRequest | null = null
  for (let n = 0; n < 4; n++)
    asked = yield { do: 'shell', command: `node -e "console.error('no rule'); process.exit(2)"` }
  const { toolResult: reported } = yield {
    do: 'write',
    path: join(repo.root, 'lib/a.ts'),
    text: 'export const a = 1\n',
  }
  const isStopped = asked?.text.includes('kotef stopped this run, aborted_stuck') === true
  const isRefused = reported.includes('run-stopped') && !existsSync(join(repo.root, 'lib/a.ts'))
  check('looped', isStopped && isRefused, { last: asked?.toolResult, reported })
  yield { do: 'say', text: 'I am stuck.' }
}

/** A session that runs its intent's own check after each patch, and each patch leads to the same failure. */
export async function* circlingSession({ repo, check }: StoryContext): Story {
  yield { do: 'kotef', tool: 'select_active_intent', input: { intent_id: 'INT-002' } }
  const seen: string[] = []
  for (let n = 0; n < 5; n++) {
    yield { do: 'write', path: join(repo.root, 'lib/c.ts'), text: `export const c = ${n}\n` }
    const asked: ModelRequest = yield { do: 'shell', command: CHECK }
    seen.push(asked.text)
  }
  const [entry, report] = await Promise.all([repo.read('.sdd/issues.md'), newestReport(repo)])
  const isWarned = seen.slice(0, 4).some(it => it.includes('kotef warns') && it.includes('on 3 different trees'))
  const isStopped = seen.at(-1)?.includes('kotef stopped this run, aborted_stuck') === true
  const isTold = [entry, report].every(it => it.includes('same-failure') && it.includes(CHECK))
  check('circled', isWarned && isStopped && isTold, { last: seen.at(-1)?.slice(-1_500), entry, report })
  yield { do: 'say', text: 'I am stuck.' }
}

async function newestReport(repo: StoryContext['repo']): Promise<string> {
  const { stdout } = await repo.kotef('runs', 'show')
  return stdout
}

/** A session that would stop before its check passes, and stops when it does. */
export async function* hastySession({ repo, check }: StoryContext): Story {
  yield { do: 'kotef', tool: 'select_active_intent', input: { intent_id: 'INT-002' } }
  yield { do: 'write', path: join(repo.root, 'lib/a.ts'), text: 'export const a = 1\n' }
  check('sentBack', false, 'the agent ended')
  const back = yield { do: 'say', text: 'It is done.' }
  check('sentBack', back.text.includes('INT-002 is not done'), back.text.slice(-1_000))
  yield { do: 'write', path: join(repo.root, 'lib/done.ts'), text: 'export const done = 1\n' }
  // The shell of some agents has another PATH.
  const program = (await repo.read('.git/kotef/program')).trim()
  const done = yield { do: 'shell', command: `node ${program} check INT-002` }
  check('done', done.text.includes('kotef: INT-002 is done'), done.text.slice(-1_500))
  check('letGo', true, null)
  const more = yield { do: 'say', text: 'It is done.' }
  check('letGo', false, more.text.slice(-1_000))
  yield { do: 'say', text: 'It is done.' }
}
