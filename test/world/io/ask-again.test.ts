import { expect, test } from 'vitest'
import { askingAgain } from '../../../src/world/io/forge/ask-again.ts'
import type { ForgeAnswer, ForgeRequest } from '../../../src/world/io/forge/forge-request.ts'

const OK: ForgeAnswer = { status: 200, json: {}, retryAfter: null, isRateLimit: false }
const FAILED: ForgeAnswer = { ...OK, status: 502 }
const REFUSED: ForgeAnswer = { ...OK, status: 403 }
const TOO_OFTEN: ForgeAnswer = { ...OK, status: 429, retryAfter: 7, isRateLimit: true }
const SPENT: ForgeAnswer = { ...OK, status: 403, retryAfter: 3_600, isRateLimit: true }
const NO_ANSWER = new Error('fetch failed')

type Method = ForgeRequest['method']

/** Asks a forge that gives these answers in turn: the last status, and the pauses. */
async function ask(method: Method, answers: readonly (ForgeAnswer | Error)[]) {
  const left = [...answers]
  const pauses: number[] = []
  const forge = async () => {
    const answer = left.shift()
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('asked too often')
    return answer
  }
  const asking = askingAgain(forge, async ms => void pauses.push(ms))
  const last = await asking({ method, url: 'https://a.example', headers: {}, body: null }).then(
    it => it.status,
    (thrown: Error) => thrown.message,
  )
  return [last, ...pauses]
}

test.each<[string, Method, (ForgeAnswer | Error)[], (number | string)[]]>([
  ['an answer is taken as it is', 'GET', [OK], [200]],
  ['a refusal too', 'GET', [REFUSED], [403]],
  ['a forge that fails is asked again', 'PATCH', [FAILED, NO_ANSWER, OK], [200, 1_000, 1_000]],
  ['at most twice', 'GET', [FAILED, FAILED, FAILED], [502, 1_000, 1_000]],
  ['also when no answer comes', 'GET', [NO_ANSWER, NO_ANSWER, NO_ANSWER], ['fetch failed', 1_000, 1_000]],
  ['what may have been created is not sent again', 'POST', [FAILED], [502]],
  ['also when no answer came', 'POST', [NO_ANSWER], ['fetch failed']],
  ['what was refused is', 'POST', [TOO_OFTEN, OK], [200, 7_000]],
  ['a pause of an hour is too long', 'POST', [SPENT], [403]],
])('%s', async (_, method, answers, expected) => {
  expect(await ask(method, answers)).toEqual(expected)
})
