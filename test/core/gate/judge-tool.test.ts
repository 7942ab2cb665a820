import { describe, expect, test } from 'vitest'
import { readShell } from '../../../src/gate/shell/read-shell.ts'
import { mutatingCommands } from './mutating-commands.ts'
import { mutatingGit } from './mutating-git.ts'
import { mutatingTools } from './mutating-tools.ts'
import { opaqueCommands, outOfScope, outOfScopeCommands } from './out-of-scope.ts'
import { readingCommands } from './reading-commands.ts'
import { readingTools } from './reading-tools.ts'
import { switching } from './switching.ts'
import { type Row, titleOf, verdictOf } from './world.ts'
import { working } from './working.ts'

const mutating: readonly Row[] = [...mutatingTools, ...mutatingCommands, ...mutatingGit]
const reading: readonly Row[] = [...readingTools, ...readingCommands]

describe('before an intent is selected', () => {
  test('the corpus of what changes something is large', () => {
    expect(new Set(mutating.map(titleOf)).size).toBeGreaterThanOrEqual(200)
  })

  test.each(mutating.map(it => [titleOf(it), it] as const))('refused: %s', (_, row) => {
    const { kind, reasons } = verdictOf(row, null)
    expect(kind).toBe('deny')
    expect(reasons[0]).toMatchObject({ code: 'intent-required', message: 'You must cite a valid active Intent ID.' })
  })

  test.each(reading.map(it => [titleOf(it), it] as const))('allowed: %s', (_, row) => {
    expect(verdictOf(row, null)).toEqual({ kind: 'allow', reasons: [] })
  })
})

describe('once an intent is selected', () => {
  test('the corpora of what is not its own, and of what harms nobody, are large', () => {
    expect(new Set([...outOfScope, ...outOfScopeCommands, ...opaqueCommands].map(titleOf)).size).toBeGreaterThan(200)
    expect(new Set([...reading, ...working].map(titleOf)).size).toBeGreaterThanOrEqual(200)
  })

  test.each([...outOfScope, ...outOfScopeCommands].map(it => [titleOf(it), it] as const))('denied: %s', (_, row) => {
    expect(verdictOf(row).kind).toBe('deny')
  })

  test.each(opaqueCommands)('opaque: %s', command => {
    expect(readShell(command).kind).toBe('opaque')
  })

  test.each([...reading, ...working].map(it => [titleOf(it), it] as const))('allowed: %s', (_, row) => {
    expect(verdictOf(row)).toEqual({ kind: 'allow', reasons: [] })
  })
})

test.each(switching)('denied by name, before and after: %s', command => {
  for (const verdict of [verdictOf(command), verdictOf(command, null)]) {
    expect(verdict.kind).toBe('deny')
    expect(verdict.reasons[0]?.code).toBe('governance-off')
  }
})
