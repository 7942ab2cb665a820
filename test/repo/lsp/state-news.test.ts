import { expect, test } from 'vitest'
import { KotefError } from '../../../src/findings/failure.ts'
import { NOTHING_KNOWN } from '../../../src/lsp/governed-state.ts'
import type { Client } from '../../../src/lsp/host.ts'
import { stateNews } from '../../../src/lsp/state-news.ts'

/** The news of one worktree, and what they sent: each status, and each failure. */
function startNews() {
  const sent: string[] = []
  const sendNotification = async (_: string, { daemon }: { daemon: string }) => void sent.push(daemon)
  const client = { connection: { sendNotification } } as unknown as Client
  const fail = (thrown: unknown) => void sent.push(String((thrown as Error).message))
  const news = stateNews(client, { inform: () => {}, log: () => {}, fail })
  return { sent, news: (state: Parameters<typeof news>[1]) => news('/repo', state) }
}

const policy = { intents: [], governance: [], forbidden: [], intentignore: [] }
const GOVERNED = { ...NOTHING_KNOWN, policy }
const failureOf = (why: string) => ({ ...GOVERNED, failure: new KotefError('registry-invalid', why) })

test('a failure is sent once, until another one comes or it is repaired', () => {
  const { sent, news } = startNews()
  const states = [GOVERNED, failureOf('one'), failureOf('one'), failureOf('two'), GOVERNED, failureOf('two')]
  for (const it of states) news(it)
  expect(sent).toEqual(['stopped', 'one', 'two', 'two'])
})

test('a status is sent when it changes, and for a worktree that is gone', () => {
  const { sent, news } = startNews()
  for (const it of [GOVERNED, GOVERNED, { ...GOVERNED, isWatched: true }, null, null]) news(it)
  expect(sent).toEqual(['stopped', 'running', 'stopped'])
})

test('a repository without kotef has no status', () => {
  const { sent, news } = startNews()
  for (const it of [NOTHING_KNOWN, null]) news(it)
  expect(sent).toEqual([])
})
