import { expect, test } from 'vitest'
import { KotefError } from '../../../src/core/base/failure.ts'
import { NOTHING_KNOWN } from '../../../src/shells/lsp/governed-state.ts'
import type { Client } from '../../../src/shells/lsp/host.ts'
import { stateUpdates } from '../../../src/shells/lsp/state-updates.ts'

/** The news of one worktree, and what they sent: each status, and each failure. */
function startUpdates() {
  const sent: string[] = []
  const sendNotification = async (_: string, { daemon }: { daemon: string }) => void sent.push(daemon)
  const client = { connection: { sendNotification } } as unknown as Client
  const fail = (thrown: unknown) => void sent.push(String((thrown as Error).message))
  const updates = stateUpdates(client, { inform: () => {}, log: () => {}, fail })
  return { sent, updates: (state: Parameters<typeof updates>[1]) => updates('/repo', state) }
}

const policy = { intents: [], governance: [], forbidden: [], intentignore: [] }
const GOVERNED = { ...NOTHING_KNOWN, policy }
const failureOf = (why: string) => ({ ...GOVERNED, failure: new KotefError('registry-invalid', why) })

test('a failure is sent once, until another one comes or it is repaired', () => {
  const { sent, updates } = startUpdates()
  const states = [GOVERNED, failureOf('one'), failureOf('one'), failureOf('two'), GOVERNED, failureOf('two')]
  for (const it of states) updates(it)
  expect(sent).toEqual(['stopped', 'one', 'two', 'two'])
})

test('a status is sent when it changes, and for a worktree that is gone', () => {
  const { sent, updates } = startUpdates()
  for (const it of [GOVERNED, GOVERNED, { ...GOVERNED, isWatched: true }, null, null]) updates(it)
  expect(sent).toEqual(['stopped', 'running', 'stopped'])
})

test('a repository without kotef has no status', () => {
  const { sent, updates } = startUpdates()
  for (const it of [NOTHING_KNOWN, null]) updates(it)
  expect(sent).toEqual([])
})
