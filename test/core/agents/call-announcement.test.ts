import { expect, test } from 'vitest'
import {
  type ReceivedCall,
  matchingAnnouncements,
  type CallAnnouncement,
  readAnnouncement,
} from '../../../src/core/agents/call-announcement.ts'

const NOW = 1_700_000_000_000
const call: ReceivedCall = {
  ...{ tool: 'select_active_intent', intent: 'INT-001', now: NOW, host: 'h' },
  ...{ pids: [30, 20, 10], allowUnrelated: true },
}
const announcement = (more: Partial<CallAnnouncement>): CallAnnouncement => ({
  ...{ session: 's', agent: 'a', model: null, tool: 'mcp__kotef__select_active_intent', intent: 'INT-001' },
  ...{ at: NOW - 1_000, host: 'h', pids: [40, 20, 10] },
  ...more,
})
const matches = (more: Partial<CallAnnouncement>, by: Partial<ReceivedCall> = {}) =>
  matchingAnnouncements([{ record: announcement(more) }], { ...call, ...by }).length === 1

test.each<[what: string, request: Partial<CallAnnouncement>, by: Partial<ReceivedCall>, fits: boolean]>([
  ['the same tool and intent', {}, {}, true],
  ['another intent', { intent: 'INT-002' }, {}, false],
  ['an intent that the hook did not see', { intent: null }, {}, true],
  ['another tool', { tool: 'mcp__kotef__list_intents' }, {}, false],
  ['a tool that ends in the same letters', { tool: 'mcp__kotef__deselect_active_intent' }, {}, false],
  ['a tool that is named alone', { tool: 'select_active_intent' }, {}, true],
  ['another host', { host: 'g' }, {}, false],
  ['a stranger of just now', { pids: [7] }, {}, true],
  ['a stranger of half a minute', { pids: [7], at: NOW - 30_000 }, {}, true],
  ['a stranger of more than that', { pids: [7], at: NOW - 30_001 }, {}, false],
  ['a stranger, where only kin may knock', { pids: [7] }, { allowUnrelated: false }, false],
  ['kin, for whom a person was asked for leave', { at: NOW - 600_000 }, {}, true],
  ['kin of too long ago', { at: NOW - 600_001 }, {}, false],
  ['kin by a clock that was set back', { at: NOW + 600_001 }, {}, false],
  ['a hook that came from nowhere', { pids: [] }, {}, true],
])('%s fits a call: %j %j %s', (_, more, by, expected) => {
  expect(matches(more, by)).toBe(expected)
})

test('of several the one with the nearest common ancestor comes first, then the recent, then the oldest', () => {
  const all = [
    { session: 'stranger', pids: [7], at: NOW - 9_000 },
    { session: 'cousin', pids: [41, 10], at: NOW - 9_000 },
    { session: 'forgotten', at: NOW - 99_000 },
    { session: 'later', at: NOW - 1_000 },
    { session: 'first', at: NOW - 2_000 },
    { session: 'own', pids: [30, 20, 10], at: NOW - 500 },
  ].map(it => ({ record: announcement(it) }))
  const order = ['own', 'first', 'later', 'forgotten', 'cousin', 'stranger']
  for (let turned = 0; turned < all.length; turned++) {
    const given = [...all.slice(turned), ...all.slice(0, turned)]
    expect(matchingAnnouncements(given, call).map(it => it.record.session)).toEqual(order)
  }
})

test.each<[what: string, text: string]>([
  ['nothing', ''],
  ['no JSON', '{'],
  ['no object', '[]'],
  ['no session', text({ session: undefined })],
  ['an empty session', text({ session: '' })],
  ['a session that is no text', text({ session: { id: 's' } })],
  ['no tool', text({ tool: 7 })],
  ['no time', text({ at: 'now' })],
  ['a time without end', `${text({}).slice(0, -1)},"at":1e999}`],
  ['pids that are none', text({ pids: ['1'] })],
  ['the process that all come from', text({ pids: [1] })],
  ['pids without end', text({ pids: Array<number>(65).fill(2) })],
  ['a text without end', text({ model: 'm'.repeat(40_000) })],
])('%s is no knock', (_, given) => {
  expect(readAnnouncement(given)).toBeNull()
})

test('what was left is what is read, and nothing else is', () => {
  expect(readAnnouncement(text({ more: 'of a later kotef' }))).toEqual(announcement({}))
  expect(readAnnouncement(text({ model: 'vendor/m', intent: 7 }))).toEqual(
    announcement({ model: 'vendor/m', intent: null }),
  )
})

function text(more: object): string {
  return JSON.stringify({ ...announcement({}), ...more })
}
