import { expect } from 'vitest'
import { checkHandoverChange } from '../../../src/core/handover/check-change.ts'
import { checkHandover } from '../../../src/core/handover/check-session.ts'
import {
  type HandoverSession,
  readHandoverSession,
  type SessionFiles,
} from '../../../src/core/handover/handover-session.ts'
import type { SessionEdit } from '../../../src/core/handover/session-edit.ts'
import { gatesIn } from './answers.ts'

/** The moment of every edit. */
export const NOW = '2026-02-01T00:00:00.000Z'

/** A session as its files say it. */
export const read = (files: SessionFiles): HandoverSession => readHandoverSession(files).session

/** The session after an edit, which must break no rule. */
export function edited(before: SessionFiles, { files, history = '' }: SessionEdit): HandoverSession {
  const texts = new Map([...before.texts, ...Object.entries(files)])
  const kept = before.texts.get('approve-design-history.jsonl') ?? ''
  if (history !== '') texts.set('approve-design-history.jsonl', kept + history)
  const after = { name: before.name, texts }
  expect([
    ...checkHandover(after),
    ...checkHandoverChange({ before, after, role: null, gates: gatesIn(after) }),
  ]).toEqual([])
  return read(after)
}
