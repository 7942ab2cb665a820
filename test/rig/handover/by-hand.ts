// Agents that play a session with nothing but an editor: `playByHand`.

import { expect } from 'vitest'
import { blobOid } from '../../../src/core/git/blob-oid.ts'
import type { HandoverAgent } from '../../../src/core/handover/agents.ts'
import { SESSIONS_FOLDER } from '../../../src/core/handover/port.ts'
import { answerFile } from '../../../src/core/handover/task-gates.ts'
import { useTool } from '../agent-gate.ts'
import { runCli } from '../command-line.ts'
import { manualClock } from '../manual-clock.ts'
import type { Repo } from '../repo.ts'
import { selectOrThrow } from '../selection.ts'
import { keptAnswer } from './answers.ts'
import { json } from './session-files.ts'

// A document of any shape.
type Json = ReturnType<typeof JSON.parse>

/** A session that is written by hand, each file by an agent of a role, whose hook must allow it. */
export type ByHand = {
  readonly folder: string
  /** Writes files below the session, or with a `/` in front below the worktree; then the session must be legal. */
  write(role: HandoverAgent, files: Readonly<Record<string, string>>): Promise<void>
  /** Changes status.json, as the Orchestrator. */
  status(edit: Record<string, unknown>): Promise<void>
  readonly last: Json
  /** Keeps the answer of an agent for a task, with the ids of what it is about. */
  answer(role: HandoverAgent, task: string, more?: object): Promise<void>
}

type Terms = { readonly session: string; readonly source: string; readonly afterStep: (n: number) => Promise<void> }

/** Begins to play a session in a repository that a daemon watches. */
export function playByHand(repo: Repo, { session, source, afterStep }: Terms): ByHand {
  const folder = `${SESSIONS_FOLDER}/${session}`
  const last: Json = {}
  const clock = manualClock(Date.now())
  let steps = 0
  const write: ByHand['write'] = async (role, files) => {
    await selectOrThrow(repo, { clock, handover: { role, session } })
    for (const [file, content] of Object.entries(files)) {
      const path = file.startsWith('/') ? file.slice(1) : `${folder}/${file}`
      const does = () => repo.write(path, content)
      const input = { file_path: `${repo.root}/${path}`, content }
      const { before, after } = await useTool(repo, 'claude', { tool: 'Write', input, does })
      expect([before.kind, after.kind], `${role} ${file}: ${before.text} ${after.text}`).not.toContain('denied')
    }
    const { exit, text } = await runCli(repo, 'handover', 'check', session)
    expect({ exit, text }, `${role} ${Object.keys(files).join(' ')}`).toMatchObject({ exit: 0 })
    await afterStep(++steps)
  }
  const idOf = async (path: string) => ({ [path]: blobOid(Buffer.from(await repo.read(path))) })
  return {
    folder,
    last,
    write,
    status: edit => write('Orchestrator', { 'status.json': json(Object.assign(last, edit)) }),
    answer: async (role, task, more = {}) => {
      const isWriter = role === 'Coder' || role === 'Integrator'
      const based_on = {
        ...(await idOf(source)),
        ...(isWriter ? {} : await idOf(`${folder}/${answerFile(task, 'Coder')}`)),
      }
      const files = isWriter ? { files_changed: [source] } : {}
      const artifacts = { commands_to_run: [], notes: [], ...files, based_on }
      await write(role, { [answerFile(task, role)]: keptAnswer({}, { artifacts, ...more }) })
    },
  }
}
