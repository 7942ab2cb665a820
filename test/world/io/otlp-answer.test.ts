import { expect, test } from 'vitest'
import { answerOf } from '../../../src/shells/otlp/sending/otlp-answer.ts'

const NOW = Date.UTC(2026, 10, 20)
const failed = (code: unknown, clues: { retryAfter?: string } = {}) => {
  const error = Object.assign(new Error('why'), code === undefined ? {} : { code })
  return answerOf({ code: 1, error }, { retryAfter: null, partialSuccess: null, ...clues }, NOW)
}

test.each([
  [null, 0, null],
  ['{"rejectedLogRecords":2,"errorMessage":"old"}', 2, 'old'],
  ['{"rejectedSpans":"3"}', 3, null],
  ['{"rejectedDataPoints":4,"errorMessage":""}', 4, null],
  ['{"errorMessage":"careful"}', 0, 'careful'],
  ['not JSON', 0, null],
])('a success with %s has that many rejected items', (partialSuccess, rejected, message) => {
  const answer = answerOf({ code: 0 }, { retryAfter: null, partialSuccess }, NOW)
  expect(answer).toEqual({ outcome: 'acknowledged', rejected, message })
})

test('an HTTP status, and a failure that stays, are refusals; anything else passes', () => {
  expect(failed(400)).toEqual({ outcome: 'refused', status: 400, message: '400 why' })
  expect(failed('DEPTH_ZERO_SELF_SIGNED_CERT')).toMatchObject({ outcome: 'refused', status: null })
  for (const it of ['ECONNREFUSED', 'ECONNRESET', undefined]) expect(failed(it)).toMatchObject({ outcome: 'later' })
  expect(answerOf({ code: 1 }, { retryAfter: null, partialSuccess: null }, NOW)).toMatchObject({ outcome: 'later' })
})

test.each([
  ['7', 7_000],
  ['0', 0],
  [new Date(NOW + 5_000).toUTCString(), 5_000],
  [new Date(NOW - 5_000).toUTCString(), 0],
  ['soon', null],
])('Retry-After %s', (retryAfter, ms) => {
  expect(failed(undefined, { retryAfter })).toMatchObject({ retryAfterMs: ms })
})
