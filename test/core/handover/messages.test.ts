import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  HANDOVER_AGENTS,
  type HandoverAgent,
  handoverAgent,
  MESSAGE_STATUSES,
  soleAnswerer,
} from '../../../src/core/handover/agents.ts'
import { whyNotWritten } from '../../../src/core/handover/port.ts'
import {
  checkInput,
  type InputFacts,
  type ListedChange,
  missingContextFiles,
} from '../../../src/core/handover/input-message.ts'
import { checkOutput, type OutputFacts } from '../../../src/core/handover/output-message.ts'
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

  test.each<[checks: string[], tools: string[], isFine: boolean]>([
    [['cmd: npm test'], [], false],
    [['manual: look', 'cmd: npm test'], ['read_file', 'edit_file'], false],
    [['cmd: npm test'], ['read_file', 'execute_command'], true],
    [['manual: look'], ['read_file'], true],
  ])('with the checks %j needs a tool that runs commands: %j is fine: %s', (checks, tools, isFine) => {
    const { task } = inputMessage() as { task: object }
    const found = problemsOfInput({ task: { ...task, acceptance_checks: checks }, tools_available: tools })
    expect(found).toEqual(isFine ? [] : [expect.stringMatching(/^tools_available: expected a tool that runs/)])
  })

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
    [{ artifacts: { commands_to_run: undefined } }, /a list of texts as `commands_to_run`, found nothing/],
    [{ artifacts: { notes: 'none' } }, /a list of texts as `notes`/],
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

  test.each<[from: HandoverAgent, files: string[], isFine: boolean]>([
    ['Coder', ['src/a.ts', path('notes.md')], true],
    ['Integrator', ['package.json'], true],
    ['Docs', ['docs/a.md'], true],
    ['Docs', ['src/a.ts'], false],
    ['Orchestrator', ['src/a.ts'], false],
    ['Orchestrator', [path('tasks.yaml'), `./${path('status.json')}`], true],
    ['Reviewer', ['src/a.ts'], false],
    ['QA', ['test/a.test.ts'], false],
  ])('of a %s that has changed %j is fine: %s', (from, files, isFine) => {
    const found = problemsOfOutput({ artifacts: { files_changed: files } }, { from })
    const problem = `expected files below .agents-work/, as a ${from} changes no others, found ${files[0]}`
    expect(found).toEqual(isFine ? [] : [`artifacts/files_changed: ${problem}`])
  })

  test('may have a status that only one agent gives', () => {
    for (const status of MESSAGE_STATUSES)
      for (const from of HANDOVER_AGENTS) {
        const only = soleAnswerer(status)
        expect(problemsOfOutput({ status }, { from }), `${status} ${from}`).toHaveLength(only && only !== from ? 1 : 0)
      }
    expect([soleAnswerer('NEEDS_INFO'), soleAnswerer('NEEDS_DECISION')]).toEqual(['Researcher', 'Security'])
  })

  test.each<[from: HandoverAgent, status: string, problems: number]>([
    ['Reviewer', 'OK', 3],
    ['QA', 'OK', 3],
    ['Security', 'OK', 3],
    ['Reviewer', 'BLOCKED', 0],
    ['Coder', 'OK', 0],
  ])('of a %s that is %s, with gates that are open, has %i problems', (from, status, problems) => {
    const open = { meets_definition_of_done: false, needs_review: true, needs_tests: true, security_concerns: [] }
    expect(problemsOfOutput({ status, gates: open }, { from })).toHaveLength(problems)
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

  const concern = (text: string) => ({
    gates: { meets_definition_of_done: true, needs_review: false, needs_tests: false, security_concerns: [text] },
  })

  test.each<[what: string, edit: object, isFine: boolean]>([
    ['a severity in capitals', findings('High'), false],
    ['a sentence that begins with one', { artifacts: { findings: ['HIGH: sql injection'] } }, false],
    ['one in brackets', { artifacts: { findings: ['[critical] no check of the token'] } }, false],
    ['a concern of security', concern('critical: rce'), false],
    ['a word in a sentence', { artifacts: { findings: ['the load is high'] } }, true],
    ['a low concern', concern('low: a header'), true],
  ])('sees %s: OK is fine: %s', (_, edit, isFine) => {
    expect(problemsOfOutput(edit, { from: 'Reviewer' })).toHaveLength(isFine ? 0 : 1)
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

  test('is one of twelve names, in this spelling, in a message and in a session', () => {
    const first = 'SpecAgent Architect Planner Designer Researcher Coder Reviewer QA Security Integrator Docs'
    const names = [...first.split(' '), 'Orchestrator']
    const next = (name: string) => ({ recommended_agent: name, recommended_task_id: 'T-001', reason: 'x' })
    for (const it of names) {
      expect(problemsOfOutput({ next: next(it) }), it).toEqual([])
      expect(handoverAgent(it)).toBe(it)
    }
    const others = [...names.flatMap(it => [it.toLowerCase(), `${it} `]), 'CODER', 'Tester', '']
    for (const it of others) {
      expect(problemsOfOutput({ next: next(it) }), it).toHaveLength(1)
      expect(handoverAgent(it)).toBeNull()
    }
    expect([handoverAgent(7), HANDOVER_AGENTS.length]).toEqual([null, 12])
  })
})
