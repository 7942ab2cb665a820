import { expect, test } from 'vitest'
import { type Advance, advanceSession } from '../../../src/core/handover/advance.ts'
import type { HandoverAgent } from '../../../src/core/handover/agents.ts'
import { correctionIn } from '../../../src/core/handover/corrections.ts'
import type { HandoverSession } from '../../../src/core/handover/handover-session.ts'
import { submitAnswer } from '../../../src/core/handover/submission.ts'
import { gatesIn } from '../../rig/handover/answers.ts'
import { edited, NOW, read } from '../../rig/handover/edited.ts'
import { outputMessage } from '../../rig/handover/messages.ts'
import { correcting, corrections, SESSION } from '../../rig/handover/session-files.ts'

const corrected = (session: HandoverSession): HandoverSession => {
  const text = `${session.texts.get('architecture.md')}\nLess.\n`
  return read({ name: SESSION, texts: new Map([...session.texts, ['architecture.md', text]]) })
}
const go = (session: HandoverSession, to: Advance['to'], agent: HandoverAgent | null = null) =>
  edited(session, advanceSession(session, { to, agent, now: NOW }))

test.each([
  [null, /The agent that corrects the design is missing/],
  ['Coder', /A Coder corrects no design/],
] as const)('gives corrections to an agent of the design, not to %s', (agent, message) => {
  expect(() => go(read(correcting('APPROVE_DESIGN', corrections('queued'))), 'DESIGN', agent)).toThrow(message)
})

test.each(['none', 'queued'])('dispatches corrections that are %s', correction => {
  const tracking = correction === 'none' ? {} : corrections(correction)
  const session = go(read(correcting('APPROVE_DESIGN', tracking)), 'DESIGN', 'Designer')
  expect(correctionIn(session.status)).toBe('dispatched')
})

test.each(['dispatched', 'completed'])('dispatches no corrections that are %s', correction => {
  const session = read(correcting('APPROVE_DESIGN', corrections(correction)))
  expect(() => go(session, 'DESIGN', 'Architect')).toThrow(
    `The corrections of the design are ${correction}, and are not`,
  )
})

test('corrections are made by a change of the design or an answer of their agent', () => {
  const begun = go(read(correcting('APPROVE_DESIGN', corrections('queued'))), 'DESIGN', 'Architect')
  expect(() => go(begun, 'APPROVE_DESIGN')).toThrow(/The corrections are not made/)
  const at = { now: NOW, facts: gatesIn(begun) }
  const submit = (agent: HandoverAgent) =>
    edited(begun, submitAnswer(begun, { agent, task: 'meta', message: outputMessage() as never }, at))
  expect(() => go(submit('Designer'), 'APPROVE_DESIGN')).toThrow(/The corrections are not made/)
  const resumed = read(correcting('APPROVE_DESIGN', begun.status?.gate_tracking))
  expect(() => go(resumed, 'APPROVE_DESIGN')).toThrow(/The corrections are not made/)
  for (const session of [submit('Architect'), corrected(begun), corrected(resumed)])
    expect(go(session, 'APPROVE_DESIGN').status?.gate_tracking?.APPROVE_DESIGN).toMatchObject({
      correction_status: 'completed',
    })
})
