import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  HANDOVER_AGENTS,
  type HandoverAgent,
  handoverAgent,
  MESSAGE_STATUSES,
  soleAnswerer,
  whyNotWritten,
} from '../../../src/handover/agents.ts'
import { checklistFor, isSkippedItem, PROJECT_TYPES } from '../../../src/handover/checklists.ts'
import {
  checkInput,
  type InputFacts,
  type ListedChange,
  missingContextFiles,
} from '../../../src/handover/input-message.ts'
import { checkOutput, type OutputFacts } from '../../../src/handover/output-message.ts'
import { inputMessage, outputMessage } from '../../rig/handover/messages.ts'
import { SESSION } from '../../rig/handover/session-files.ts'

const facts: InputFacts = { to: null, mode: 'full', exists: () => true, designSpecs: [], changed: null }
const problemsOfInput = (edit: object, more: Partial<InputFacts> = {}) =>
  checkInput(JSON.stringify(inputMessage(edit)), { ...facts, ...more }).problems.map(
    it => `${it.pointer ?? it.line}: expected ${it.expected}, found ${it.found}`,
  )
const outputFacts: OutputFacts = { from: null, projectType: null, blobNow: () => 'a' }
const problemsOfOutput = (edit: object, more: Partial<OutputFacts> = {}) =>
  checkOutput(JSON.stringify(outputMessage(edit)), { ...outputFacts, ...more }).problems.map(
    it => `${it.pointer ?? it.line}: expected ${it.expected}, found ${it.found}`,
  )
const path = (file: string): string => `.agents-work/${SESSION}/${file}`

describe('a message to an agent', () => {
  test('with all its parts has no problem', () => {
    expect(problemsOfInput({})).toEqual([])
  })

  test.each<[edit: object, problem: RegExp]>([
    [{ project_type: 'game' }, /expected one of web, api, cli, lib, mixed as `project_type`, found "game"/],
    [{ task: null }, /expected a task/],
    [{ repo_state: { branch: 'main', ci_status: 'blue' } }, /one of unknown, green, red/],
    [{ tools_available: 'all' }, /a list of texts/],
    [{ tools_available: ['read_file'] }, /a tool that runs the commands of acceptance_checks, found read_file/],
    [{ agent: 'coder' }, /one of SpecAgent/],
  ])('%j', (edit, problem) => {
    expect(problemsOfInput(edit).join('\n')).toMatch(problem)
  })

  test.each(['id', 'title', 'goal', 'non_goals', 'context_files', 'constraints', 'acceptance_checks', 'risk_flags'])(
    'without %s is refused',
    key => {
      const { task } = inputMessage() as { task: Record<string, unknown> }
      expect(problemsOfInput({ task: { ...task, [key]: undefined } })).toHaveLength(1)
    },
  )

  test('names files that are there', () => {
    const exists = (it: string) => !it.endsWith('tasks.yaml')
    const { message } = checkInput(JSON.stringify(inputMessage()), facts)
    expect(problemsOfInput({}, { exists })).toEqual([
      `task/context_files: expected the file ${path('tasks.yaml')}, found none`,
    ])
    expect(missingContextFiles(message!, { exists })).toEqual([path('tasks.yaml')])
  })

  test.each<[to: HandoverAgent, mode: 'full' | 'lean', lacking: string[]]>([
    ['Architect', 'full', ['spec.md', 'acceptance.json']],
    ['Planner', 'full', ['spec.md', 'acceptance.json', 'architecture.md']],
    ['Coder', 'full', ['spec.md', 'tasks.yaml', 'architecture.md']],
    ['Coder', 'lean', ['spec.md', 'tasks.yaml']],
    ['QA', 'full', ['spec.md', 'acceptance.json', 'tasks.yaml']],
    ['Security', 'full', ['tasks.yaml']],
    ['Integrator', 'full', ['tasks.yaml', 'acceptance.json']],
    ['Designer', 'full', []],
  ])('for a %s in %s mode has %j', (to, mode, lacking) => {
    const { task } = inputMessage() as { task: object }
    expect(problemsOfInput({ task: { ...task, context_files: [] } }, { to, mode })).toEqual(
      lacking.map(it => `task/context_files: expected ${it}, which a ${to} reads, found none`),
    )
  })

  test('for a Coder has each design spec', () => {
    const spec = path('design-specs/form.md')
    const coder = { to: 'Coder', designSpecs: [spec] } as const
    expect(problemsOfInput({}, coder)).toEqual([expect.stringContaining(`${spec}, which a Coder reads`)])
  })

  const withChanges = (list: unknown) => {
    const { task } = inputMessage() as { task: object }
    return { task: { ...task, session_changed_files: list } }
  }
  const changed: ListedChange[] = [
    { path: 'src/a.ts', change_type: 'modified' },
    { path: 'src/new.ts', old_path: 'src/old.ts', change_type: 'renamed' },
  ]

  test('for a Reviewer lists what git says', () => {
    expect(problemsOfInput(withChanges(changed), { to: 'Reviewer', changed })).toEqual([])
    expect(problemsOfInput(withChanges(undefined), { to: 'Reviewer', changed })).toHaveLength(1)
    const other = [{ path: 'src/a.ts', change_type: 'deleted' }]
    expect(problemsOfInput(withChanges(other), { to: 'Reviewer', changed })).toEqual([
      'task/session_changed_files: expected modified src/a.ts, found nothing',
      'task/session_changed_files: expected renamed src/old.ts to src/new.ts, found nothing',
      'task/session_changed_files: expected what git says, found deleted src/a.ts',
    ])
  })

  test('of a rename has the old path, and another agent gets no list', () => {
    const renamed = [{ path: 'b', change_type: 'renamed' }]
    expect(problemsOfInput(withChanges(renamed))).toEqual([expect.stringContaining('old_path of b')])
    expect(problemsOfInput(withChanges(changed), { to: 'Coder' })).toEqual([expect.stringContaining('for a Coder')])
    expect(problemsOfInput(withChanges([]), { to: 'Coder' })).toEqual([])
  })
})

describe('an answer of an agent', () => {
  test('with all its parts has no problem', () => {
    expect(problemsOfOutput({})).toEqual([])
  })

  test.each<[edit: object, problem: RegExp]>([
    [{ status: 'DONE' }, /one of OK, BLOCKED, NEEDS_INFO, NEEDS_DECISION, FAIL/],
    [{ summary: '' }, /a text that is not empty/],
    [{ artifacts: [] }, /a map of artifacts/],
    [
      { gates: { meets_definition_of_done: 'yes', needs_review: false, needs_tests: false, security_concerns: [] } },
      /true or false/,
    ],
    [{ gates: {} }, /true or false/],
    [{ next: { recommended_agent: 'coder', recommended_task_id: 'T-001', reason: 'x' } }, /one of SpecAgent/],
    [{ next: { recommended_agent: 'Coder', recommended_task_id: '1', reason: 'x' } }, /T-001 or meta/],
  ])('%j', (edit, problem) => {
    expect(problemsOfOutput(edit).join('\n')).toMatch(problem)
  })

  test.each(['Done.\n{}', '```json\n{}\n```', '{} thanks'])('has no text around it: %j', text => {
    const around = text.replace('{}', JSON.stringify(outputMessage()))
    expect(checkOutput(around, outputFacts).problems).toEqual([
      expect.objectContaining({ rule: 'handover-message', expected: 'JSON only', found: 'text around it' }),
    ])
  })

  test('may have a status that only one agent gives', () => {
    for (const status of MESSAGE_STATUSES)
      for (const from of HANDOVER_AGENTS) {
        const only = soleAnswerer(status)
        expect(problemsOfOutput({ status }, { from }), `${status} ${from}`).toHaveLength(only && only !== from ? 1 : 0)
      }
    expect([soleAnswerer('NEEDS_INFO'), soleAnswerer('NEEDS_DECISION')]).toEqual(['Researcher', 'Security'])
  })

  const findings = (severity: string) => ({ artifacts: { findings: [{ severity, file: 'a' }] } })

  test.each<[severity: string, status: string, isFine: boolean]>([
    ['critical', 'OK', false],
    ['high', 'NEEDS_DECISION', false],
    ['high', 'BLOCKED', true],
    ['medium', 'OK', false],
    ['medium', 'NEEDS_DECISION', true],
    ['low', 'OK', true],
  ])('with a finding that is %s is %s: %s', (severity, status, isFine) => {
    expect(problemsOfOutput({ status, ...findings(severity) }, { from: 'Security' })).toHaveLength(isFine ? 0 : 1)
  })

  test('of another version of a file is stale', () => {
    const based = { artifacts: { based_on: { 'spec.md': 'a', 'tasks.yaml': 'b' } } }
    expect(checkOutput(JSON.stringify(outputMessage(based)), outputFacts).problems).toEqual([
      expect.objectContaining({ rule: 'handover-stale', pointer: 'artifacts/based_on/tasks.yaml' }),
    ])
  })

  test('skips what does not apply to its project', () => {
    const summary = { checklist_summary: { csrf: 'OK', XSS: 'N/A', secrets: 'OK', other: 'OK' } }
    expect(problemsOfOutput(summary, { from: 'QA', projectType: 'cli' })).toEqual([
      'checklist_summary/csrf: expected N/A in a project of type cli, found OK',
    ])
    expect(problemsOfOutput(summary, { from: 'QA', projectType: 'web' })).toEqual([])
    expect(problemsOfOutput(summary, { from: 'Coder', projectType: 'cli' })).toEqual([])
  })
})

test('any text is judged; nothing is thrown', () => {
  const good = [JSON.stringify(inputMessage()), JSON.stringify(outputMessage())]
  fc.assert(
    fc.property(fc.nat(2000), fc.string({ unit: 'binary', maxLength: 30 }), (at, other) => {
      for (const text of good) {
        const it = text.slice(0, at % text.length) + other
        expect(checkInput(it, facts).problems.length).toBeGreaterThan(0)
        expect(checkOutput(it, outputFacts).problems.length).toBeGreaterThan(0)
      }
    }),
    { numRuns: 300, seed: 1 },
  )
})

describe('a role', () => {
  const at = (role: HandoverAgent) => ({ role, session: SESSION })
  test.each<[role: HandoverAgent, path: string, isFine: boolean]>([
    ['Orchestrator', path('status.json'), true],
    ['Orchestrator', 'src/a.ts', false],
    ['Orchestrator', 'package.json', false],
    ['Orchestrator', 'README.md', false],
    ['Orchestrator', '.agents-work/2026-01-30_other/status.json', false],
    ['Orchestrator', '.agents-work/notes.md', false],
    ['Orchestrator', '.agents-works/x', false],
    ['Coder', 'src/a.ts', true],
    ['Coder', path('tasks.yaml'), true],
    ['Coder', '.agents-work/2026-01-30_other/tasks.yaml', false],
    ['Integrator', '.github/workflows/ci.yml', true],
    ['Docs', 'README.md', true],
    ['Docs', 'docs/page.html', true],
    ['Docs', 'src/a.ts', false],
    ['QA', 'test/a.test.ts', false],
    ['Reviewer', 'src/a.ts', false],
    ['SpecAgent', path('spec.md'), true],
  ])('%s writes %s: %s', (role, file, isFine) => {
    expect(whyNotWritten(file, at(role)) === null).toBe(isFine)
  })

  test('is one of twelve names, in this spelling', () => {
    expect(HANDOVER_AGENTS).toHaveLength(12)
    expect(['Coder', 'coder', 'CODER', '', 7].map(handoverAgent)).toEqual(['Coder', null, null, null, null])
  })
})

test('the checklist of each type of project has what applies to it', () => {
  const without = (type: (typeof PROJECT_TYPES)[number]) => checklistFor('web').filter(it => isSkippedItem(it, type))
  expect(without('mixed')).toEqual([])
  expect(without('api')).toEqual(['xss', 'templates', 'ui'])
  expect(without('cli')).toEqual([
    'auth',
    'rate-limiting',
    'sql-injection',
    'csrf',
    'tenant-scoping',
    'xss',
    'templates',
    'ui',
  ])
  for (const type of PROJECT_TYPES)
    expect(checklistFor(type)).toEqual(expect.arrayContaining(['input-validation', 'secrets']))
})
