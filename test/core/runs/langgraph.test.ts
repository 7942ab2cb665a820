import { Annotation, END, START, StateGraph } from '@langchain/langgraph'
import { expect, test } from 'vitest'
import { createRun, type Run, type RunOptions } from '../../../src/run-library/create-run.ts'

// A real graph of LangGraph.js with scripted nodes: kotef decides where the planner may go. LangGraph's own limit of
// 25 super-steps throws; ours must end the run before.

const RECURSION_LIMIT = 25
const State = Annotation.Root({ turn: Annotation<number>({ reducer: (_, it) => it, default: () => 0 }) })

/** What the nodes do in a turn, and where the planner wants to go. */
type Script = {
  readonly plan: (turn: number) => string
  readonly researcher?: (run: Run) => void
  readonly coder?: (run: Run, turn: number) => void
  readonly verifier?: (run: Run, turn: number) => void
}

async function play(script: Script, options: RunOptions = {}) {
  const run = createRun({ checks: ['tests'], ...options })
  const visited: string[] = []
  let next = ''
  const worker = (name: 'researcher' | 'coder' | 'verifier') => (state: typeof State.State) => {
    visited.push(name)
    script[name]?.(run, state.turn)
    run.step(name, 'planner')
    return {}
  }
  const graph = new StateGraph(State)
    .addNode('planner', ({ turn }) => {
      visited.push('planner')
      const proposed = script.plan(turn)
      next = run.clamp(proposed)
      if (next === proposed) run.step('planner', next, { reason: `turn ${turn}` })
      return { turn: turn + 1 }
    })
    .addNode('researcher', worker('researcher'))
    .addNode('coder', worker('coder'))
    .addNode('verifier', worker('verifier'))
    .addNode('snitch', () => ({ turn: visited.push('snitch') }))
    .addNode('ticket_closer', () => ({ turn: visited.push('ticket_closer') }))
    .addEdge(START, 'planner')
    .addConditionalEdges('planner', () => next, ['researcher', 'coder', 'verifier', 'snitch', 'ticket_closer'])
    .addEdge('researcher', 'planner')
    .addEdge('coder', 'planner')
    .addEdge('verifier', 'planner')
    .addEdge('snitch', END)
    .addEdge('ticket_closer', END)
    .compile()
  await graph.invoke({ turn: 0 }, { recursionLimit: RECURSION_LIMIT })
  return { run, visited, ...run.decide() }
}

const RED = { id: 'tests', command: 'npm test', result: 'failed', output: 'AssertionError: 1 is not 2' } as const

test('planner and researcher: good research is not asked for again and again', async () => {
  const { status, rule, visited, counters } = await play({
    plan: () => 'researcher',
    researcher: run => run.step('researcher', 'researcher', { researchQuality: 0.9 }),
  })
  expect({ status, rule }).toEqual({ status: 'aborted_stuck', rule: 'edge-without-progress' })
  expect(visited.at(-1)).toBe('snitch')
  expect(visited.length).toBeLessThan(RECURSION_LIMIT)
  expect(counters.loopCounters['planner_to_researcher']).toBe(7)
})

test('planner and verifier: one red command ends the run with the command and how often it failed', async () => {
  const { status, rule, evidence, visited } = await play({ plan: () => 'verifier', verifier: run => run.check(RED) })
  expect({ status, rule }).toEqual({ status: 'aborted_stuck', rule: 'same-error' })
  expect(evidence).toBe('check tests: npm test failed 4 times with the same error, and nothing was changed')
  expect(visited.filter(it => it === 'verifier')).toHaveLength(4)
  expect(visited.at(-1)).toBe('snitch')
})

test('a coder whose patches change nothing is not called again', async () => {
  const { status, rule, visited } = await play({
    plan: () => 'coder',
    coder: run => run.edit({ path: 'src/a.ts', before: 'a', after: 'a' }),
  })
  expect({ status, rule }).toEqual({ status: 'aborted_stuck', rule: 'edits-without-change' })
  expect(visited.filter(it => it === 'coder')).toHaveLength(3)
})

test('the good path ends as soon as the definition of done is met', async () => {
  const { status, visited, run } = await play({
    plan: turn => ['researcher', 'coder', 'verifier'][turn] ?? 'coder',
    coder: (run, turn) => run.edit({ path: 'src/a.ts', before: `${turn}`, after: `${turn + 1}` }),
    verifier: run => run.check({ ...RED, result: 'passed', output: 'ok' }),
  })
  expect(status).toBe('done_success')
  expect(visited).toEqual([
    ...['planner', 'researcher', 'planner', 'coder', 'planner', 'verifier', 'planner', 'ticket_closer'],
  ])
  expect(run.report()).toContain('**done_success**: the definition of done is met (profile default')
})

test('and saves the steps that a planner without an end would take', async () => {
  const script: Script = {
    plan: turn => (turn === 11 ? 'ticket_closer' : turn % 2 === 0 ? 'coder' : 'verifier'),
    coder: (run, turn) => run.edit({ path: 'src/a.ts', before: `${turn}`, after: `${turn + 1}` }),
    verifier: run => run.check({ ...RED, result: 'passed', output: 'ok' }),
  }
  const [guarded, unguarded] = [await play(script), await play(script, { checks: [] })]
  expect([guarded.status, unguarded.status]).toEqual(['done_success', 'running'])
  const saved = unguarded.visited.length - guarded.visited.length
  console.log(`early exit: ${guarded.visited.length} steps in place of ${unguarded.visited.length}, ${saved} saved`)
  expect(saved).toBe(18)
})

test('without kotef the same graph runs into the limit of LangGraph', async () => {
  const off = { edgeStop: 0, sameErrorStop: 0, sameCallStop: 0, cycleStop: 0 }
  const endless = play({ plan: () => 'verifier', verifier: run => run.check(RED) }, { limits: off })
  await expect(endless).rejects.toThrow(/[Rr]ecursion limit of 25/)
})

test('a resumed graph gets 25 new super-steps from LangGraph, and no new attempts from kotef', async () => {
  let saved: string | null = null
  const store = {
    load: () => (saved === null ? null : JSON.parse(saved)),
    save: (state: object) => void (saved = JSON.stringify(state)),
  }
  const first = await play(
    { plan: turn => (turn < 3 ? 'verifier' : 'snitch'), verifier: run => run.check(RED) },
    { store },
  )
  expect(first.status).toBe('running')
  const second = await play({ plan: () => 'verifier', verifier: run => run.check(RED) }, { store })
  expect(second).toMatchObject({ status: 'aborted_stuck', rule: 'same-error' })
  expect(second.visited.filter(it => it === 'verifier')).toHaveLength(1)
})
