import type { SessionFiles } from '../../../src/core/handover/handover-session.ts'
import { blobOid } from '../../../src/core/git/blob-oid.ts'
import { answersFor, coderAnswer, givenFor, keptAnswer } from './answers.ts'
import type { CorpusRow, IllegalRow } from './corpus-rows.ts'
import { SESSION, sessionIn } from './session-files.ts'

/** The source on which the sessions work: its content now, and before a rework. */
export const SOURCE = { path: 'src/b.ts', now: 'b\n', before: 'earlier\n' } as const

type Answers = Readonly<Record<string, string | null>>

const NOW = { [SOURCE.path]: blobOid(Buffer.from(SOURCE.now)) }
const BEFORE = { [SOURCE.path]: blobOid(Buffer.from(SOURCE.before)) }
const coder = coderAnswer(NOW)
const given = givenFor('T-001', SESSION, coder)
const GATES = { meets_definition_of_done: true, needs_review: false, needs_tests: false, security_concerns: [] }

const from = (agent: string, text: string | null): Answers => ({ [`messages/T-001.${agent}.json`]: text })
const review = (more: object, based: Record<string, string> = given): Answers =>
  from('Reviewer', keptAnswer(based, more))
const gates = (more: object): Answers => review({ gates: { ...GATES, ...more } })

const passed: Answers = { ...answersFor('T-001', SESSION, NOW), ...from('Security', null) }

/** What stands in the place of the answers of a task that passes, and the task's risk. */
const OPEN_GATES: readonly (readonly [title: string, answers: Answers, risk?: string])[] = [
  ['no answer at all', { ...from('Coder', null), ...from('Reviewer', null), ...from('QA', null) }],
  ['no answer of its Coder', from('Coder', null)],
  ['no review', from('Reviewer', null)],
  ['no answer of QA', from('QA', null)],
  ['no answer of Security, which its risk needs', {}, 'security'],
  ['a review that failed', review({ status: 'FAIL' })],
  ['a review that is not JSON', from('Reviewer', 'OK')],
  ['a review from before the work', review({}, {})],
  ['a rework of the source after the review', answersFor('T-001', SESSION, BEFORE)],
  ['a rework, and another answer of the Coder', { ...answersFor('T-001', SESSION, BEFORE), ...from('Coder', coder) }],
  ['a review of what is not done', gates({ meets_definition_of_done: false })],
  ['a review that misses tests', gates({ needs_tests: true })],
  ['a review that wants another', gates({ needs_review: true })],
  ['a review with a critical concern', gates({ security_concerns: ['critical: RCE'] })],
]

const MODES = ['full', 'lean'] as const
const STARTS = ['implemented', 'not-started'] as const

function completing(answers: Answers, { mode, start, risk = 'none' }: Completing): Omit<CorpusRow, 'title'> {
  const session = (status: string, files: Answers): SessionFiles =>
    sessionIn('IMPLEMENT_LOOP', {
      lean: mode === 'lean',
      tasks: it => Object.assign(it[0]!, { status, risk_flags: [risk] }),
      files,
    })
  const none = { ...from('Security', null) }
  return { before: session(start, {}), after: session('completed', { ...none, ...passed, ...answers }) }
}

type Completing = {
  readonly mode: (typeof MODES)[number]
  readonly start: (typeof STARTS)[number]
  readonly risk?: string | undefined
}

const each = <T>(make: (at: Completing) => T): T[] => MODES.flatMap(mode => STARTS.map(start => make({ mode, start })))

/** Tasks that are completed although a gate is open, in one step and over all steps. */
export const illegalCompletions: readonly IllegalRow[] = OPEN_GATES.flatMap(([title, answers, risk]) =>
  each(at => ({
    ...completing(answers, { ...at, risk }),
    title: `${title}, ${at.mode}, from ${at.start}`,
    rule: 'handover-task' as const,
  })),
)

/** Tasks that are completed after all their gates. */
export const legalCompletions: readonly CorpusRow[] = each(at => ({
  ...completing({}, at),
  title: `all gates passed, ${at.mode}, from ${at.start}`,
}))
