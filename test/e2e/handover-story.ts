import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SESSIONS_FOLDER } from '../../src/core/handover/port.ts'
import { SESSION, sessionIn } from '../rig/handover/session-files.ts'
import { writeSession } from '../rig/handover/handover-repo.ts'
import type { Repo } from '../rig/repo.ts'
import type { ModelAction } from './models/protocol.ts'
import type { Story, StoryContext } from './story.ts'

const TASKS = `${SESSIONS_FOLDER}/${SESSION}/tasks.yaml`

/** Puts a session there in which a task is implemented. */
export function beginHandover(repo: Repo): void {
  writeSession(repo, sessionIn('IMPLEMENT_LOOP', { tasks: it => (it[0]!['status'] = 'implemented') }))
}

function select(role: string): ModelAction {
  const input = { intent_id: 'INT-001', role, handover_session: SESSION }
  return { do: 'kotef', tool: 'select_active_intent', input }
}

/** An Orchestrator that would write source itself. */
export async function* orchestratorSession({ repo, check }: StoryContext): Story {
  yield select('Orchestrator')
  const { toolResult: reported } = yield {
    do: 'write',
    path: join(repo.root, 'src/c.ts'),
    text: 'export const c = 1\n',
  }
  check('roleHeld', !existsSync(join(repo.root, 'src/c.ts')) && reported.includes('handover-role'), reported)
  const notes = `${SESSIONS_FOLDER}/${SESSION}/notes.md`
  const own = yield { do: 'write', path: join(repo.root, notes), text: 'T-001 waits for its gates.\n' }
  check('roleWrites', existsSync(join(repo.root, notes)), own.toolResult)
  yield { do: 'say', text: 'I hand over.' }
}

/** A Coder that would complete its own task. */
export async function* coderSession({ repo, check }: StoryContext): Story {
  yield select('Coder')
  const text = (await repo.read(TASKS)).replace('status: implemented', 'status: completed')
  yield { do: 'shell', command: `cat ${TASKS}` }
  const { toolResult: reported } = yield { do: 'write', path: join(repo.root, TASKS), text }
  const isHeld = (await repo.read(TASKS)).includes('status: implemented') && reported.includes('by a Coder')
  check('completedHeld', isHeld, reported)
  yield { do: 'say', text: 'It is implemented.' }
}
