import { stringify } from 'yaml'
import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { flushedRecords, startWatching } from '../../rig/governed-repo.ts'
import { type ByHand, playByHand } from '../../rig/handover/by-hand.ts'
import { commitUnjudged } from '../../rig/handover/handover-repo.ts'
import {
  answered,
  approval,
  corrections,
  historyLine,
  pending,
  sessionIn,
  strategy,
  task,
} from '../../rig/handover/session-files.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'
import { verifyFindings } from '../../rig/verify-findings.ts'

const SOURCE = 'src/refund.ts'
const SESSION = '2026-02-01_by-hand'
const { texts } = sessionIn('DONE')
const text = (file: string): string => texts.get(file) ?? ''

const template = fixture(async () => {
  const repo = await hookedRepo({ start: null })
  await repo.write('.orchestration/config.yaml', 'version: 1\nruns: { profile: "off" }\n')
  await commitUnjudged(repo, 'config')
  return repo
})

const tasksText = (...statuses: readonly string[]) =>
  stringify({ tasks: statuses.map((it, n) => task(`T-00${n + 1}`, it)) })

/** The start of every session. */
async function begin(play: ByHand, lean: boolean): Promise<void> {
  const { status } = { status: JSON.parse(text('status.json')) as Record<string, unknown> }
  const { acceptance_results: _results, ...plain } = status
  const more = { session: SESSION, user_decisions: [], ...(lean ? { mode: 'lean' } : {}) }
  await play.status({ ...plain, ...more, current_state: lean ? 'INTAKE_LEAN' : 'INTAKE' })
  await play.write('SpecAgent', { 'spec.md': text('spec.md'), 'acceptance.json': text('acceptance.json') })
}

/** The design, which the user has corrected once. */
async function design(play: ByHand): Promise<void> {
  await play.status({ current_state: 'DESIGN' })
  await play.write('Architect', { 'architecture.md': text('architecture.md') })
  const asked = { ...approval(), status: 'pending', answer: null, resolved_at: null }
  await play.status({ current_state: 'APPROVE_DESIGN', user_decisions: [asked] })
  const answer = 'changes-requested: one module less'
  await play.write('Orchestrator', { 'approve-design-history.jsonl': historyLine(answer) })
  await play.status({ user_decisions: [approval(answer)], gate_tracking: corrections('queued') })
  await play.status({ current_state: 'DESIGN', gate_tracking: corrections('dispatched') })
  await play.write('Architect', { 'architecture.md': `${text('architecture.md')}\nLess.\n` })
  await play.status({ current_state: 'APPROVE_DESIGN', gate_tracking: corrections('completed') })
  await play.status({ user_decisions: [asked] })
  await play.status({ current_state: 'PLAN', user_decisions: [approval()], gate_tracking: corrections('none') })
  await play.write('Planner', { 'tasks.yaml': tasksText('not-started', 'not-started') })
  const which = { ...strategy('per-batch'), status: 'pending', answer: null, resolved_at: null }
  await play.status({ current_state: 'REVIEW_STRATEGY', user_decisions: [approval(), which] })
  await play.status({ current_state: 'IMPLEMENT_LOOP', user_decisions: [approval(), strategy('per-batch')] })
}

async function code(play: ByHand, source: string, [id, before]: readonly [id: string, before: readonly string[]]) {
  await play.write('Coder', {
    'tasks.yaml': tasksText(...before, 'in-progress', ...rest(before)),
    [`/${SOURCE}`]: source,
  })
  await play.answer('Coder', id)
  await play.write('Coder', { 'tasks.yaml': tasksText(...before, 'implemented', ...rest(before)) })
}

const rest = (before: readonly string[]) => (before.length === 0 ? ['not-started'] : [])

/** Two tasks in one file; the first review finds something. */
async function implement(play: ByHand): Promise<void> {
  await code(play, 'let refund\n', ['T-001', []])
  await play.answer('Reviewer', 'T-001', { status: 'BLOCKED' })
  await play.status({ current_state: 'FIX_REVIEW', retry_counts: { 'T-001': { FIX_REVIEW: 1 } } })
  await code(play, 'const refund = 1\n', ['T-001', []])
  await play.status({ current_state: 'IMPLEMENT_LOOP' })
  for (const it of ['Reviewer', 'QA'] as const) await play.answer(it, 'T-001')
  await play.write('Orchestrator', { 'tasks.yaml': tasksText('completed', 'not-started') })
  await code(play, 'const refund = 2\n', ['T-002', ['completed']])
  for (const it of ['QA', 'Reviewer'] as const) await play.answer(it, 'T-002')
  await play.write('Orchestrator', { 'tasks.yaml': tasksText('completed', 'completed') })
}

/** The build, which is repaired once, and the end. */
async function finish(play: ByHand, state: 'INTEGRATE' | 'RELEASE'): Promise<void> {
  await play.status({ current_state: 'INTEGRATE' })
  const counts = { 'T-001': { FIX_REVIEW: 1 }, 'T-002': { FIX_BUILD: 1 } }
  await play.status({ current_state: 'FIX_BUILD', retry_counts: counts, last_ci_result: 'red' })
  await play.write('Integrator', { [`/${SOURCE}`]: 'export const refund = 2\n' })
  await play.answer('Integrator', 'meta')
  await play.status({ current_state: 'INTEGRATE', last_ci_result: 'green' })
  if (state === 'RELEASE') await play.status({ current_state: 'RELEASE' })
  const decisions = play.last.user_decisions as object[]
  const about = { criterion: 'AC-001', state_context: state }
  await play.status({ current_state: 'ASK_USER', user_decisions: [...decisions, pending(1, about)] })
  const met = answered(1, 'met: I looked at one', about)
  await play.status({ current_state: state, user_decisions: [...decisions, met] })
  await play.write('Docs', { 'report.md': text('report.md') })
  const acceptance_results = { 'AC-001': { status: 'passed', tree: 'a'.repeat(40) } }
  await play.status({ current_state: 'DONE', acceptance_results })
}

async function play(repo: Repo, lean: boolean, afterStep: (n: number) => Promise<void>): Promise<void> {
  const byHand = playByHand(repo, { session: SESSION, source: SOURCE, afterStep })
  await begin(byHand, lean)
  if (lean) {
    await byHand.write('Planner', { 'tasks.yaml': tasksText('not-started', 'not-started') })
    await byHand.status({ current_state: 'IMPLEMENT_LOOP' })
  } else await design(byHand)
  await implement(byHand)
  await finish(byHand, lean ? 'INTEGRATE' : 'RELEASE')
}

async function commitAll(repo: Repo): Promise<void> {
  await repo.git('add', '--all')
  const committed = await repo.run('git', ['commit', '-qm', 'x', '-m', 'Intent-ID: INT-001'])
  expect(committed).toMatchObject({ code: 0, stderr: '' })
}

test.each([
  { lean: false, commits: 'at its end' },
  { lean: true, commits: 'after each fifth step' },
])(
  'a session that is written by hand is refused nowhere (lean: $lean), committed $commits',
  async ({ lean, commits }) => {
    await using repo = await copyGoverned(template())
    await using _daemon = await startWatching(repo)
    const from = await repo.git('rev-parse', 'HEAD')
    await play(repo, lean, async n => {
      if (commits === 'after each fifth step' && n % 5 === 0) await commitAll(repo)
    })
    await commitAll(repo)
    expect(await verifyFindings(repo, `${from.trim()}..HEAD`)).toEqual([])
    const events = (await flushedRecords(repo)).map(it => it.metadata['dev.kotef'])
    expect(events.filter(it => it.event === 'violation' && it.rule.startsWith('handover'))).toEqual([])
  },
)
