import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelRequest } from './models/protocol.ts'
import type { Story, StoryContext } from './story.ts'

/** The intent of these stories: it owns `lib/`, and is done when `lib/done.ts` is there. */
export const CHECKED_INTENT = [
  '--id',
  'INT-002',
  '--name',
  'the rest',
  '--scope',
  'lib/**',
  '--check',
  'test -f lib/done.ts',
]

/** A session that repeats a command that fails, whatever it is answered. */
export async function* loopingSession({ repo, check }: StoryContext): Story {
  yield { do: 'kotef', tool: 'select_active_intent', input: { intent_id: 'INT-002' } }
  let asked: ModelRequest | null = null
  for (let n = 0; n < 4; n++)
    asked = yield { do: 'shell', command: `node -e "console.error('no rule'); process.exit(2)"` }
  const { toolResult: told } = yield { do: 'write', path: join(repo.root, 'lib/a.ts'), text: 'export const a = 1\n' }
  const isStopped = asked?.text.includes('kotef stopped this run, aborted_stuck') === true
  const isRefused = told.includes('run-stopped') && !existsSync(join(repo.root, 'lib/a.ts'))
  check('looped', isStopped && isRefused, { last: asked?.toolResult, told })
  yield { do: 'say', text: 'I am stuck.' }
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
