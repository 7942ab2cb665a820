import { expect, test } from 'vitest'
import { advanceSession } from '../../../src/core/handover/advance.ts'
import { lacksOf } from '../../../src/core/handover/guard-lacks.ts'
import { type MainState, TRANSITIONS } from '../../../src/core/handover/workflow.ts'
import { NOW, read } from '../../rig/handover/edited.ts'
import { type SessionEdits, sessionIn } from '../../rig/handover/session-files.ts'

test.each<[state: MainState, to: MainState, edits: SessionEdits, lacks: string[]]>([
  ['INTAKE', 'DESIGN', { files: { 'spec.md': null } }, ['spec.md: expected a file, found none']],
  [
    'INTAKE',
    'DESIGN',
    { files: { 'spec.md': '# S\n\n## Goals\n\nx\n\n## Definition of Done\n\nx\n', 'acceptance.json': '{}' } },
    [
      'spec.md: expected the section Acceptance Criteria, with content, found none',
      'acceptance.json:1: expected a list of criteria as `acceptance_criteria`, found nothing',
    ],
  ],
  ['DESIGN', 'APPROVE_DESIGN', {}, ['architecture.md: expected a file, found none']],
  ['PLAN', 'REVIEW_STRATEGY', { files: { 'tasks.yaml': 'tasks: []\n' } }, ['tasks.yaml:1: expected at least one task']],
  ['IMPLEMENT_LOOP', 'INTEGRATE', {}, ['tasks.yaml tasks/T-001/status: expected completed, found in-progress']],
  ['RELEASE', 'DONE', {}, ['report.md: expected a report, found none']],
])('from %s to %s says what is wrong in which file', (state, to, edits, lacks) => {
  const session = read(sessionIn(state, edits))
  const { guard } = TRANSITIONS.find(it => it.from === state && it.to === to) ?? {}
  const found = lacksOf(session, guard ?? 'none').map(it => {
    const at = it.pointer === null ? it.file : `${it.file} ${it.pointer}`
    return `${at}: expected ${it.expected}, found ${it.found}`
  })
  for (const it of lacks) expect(found).toContainEqual(expect.stringContaining(it))
  const advance = () => advanceSession(session, { to, now: NOW })
  for (const it of found) expect(advance).toThrow(`\n  ${it}`)
  expect(advance).toThrow(expect.objectContaining({ code: 'handover-unmet', exit: 1 }))
})
