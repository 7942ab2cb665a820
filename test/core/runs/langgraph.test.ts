import { Annotation, END, START, StateGraph } from '@langchain/langgraph'
import { expect, test } from 'vitest'
import { createRun, type Run, type RunOptions } from '../../../src/shells/run-library/create-run.ts'

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
    .addNode('pause', () => ({}))
    .addNode('ticket_closer', () => ({ turn: visited.push('ticket_closer') }))
    .addEdge(START, 'planner')
    .addConditionalEdges('planner', () => next, ['researcher', 'coder', 'verifier', 'snitch', 'pause', 'ticket_closer'])
    .addEdge('researcher', 'planner')
    .addEdge('coder', 'planner')
    .addEdge('verifier', 'planner')
    .addEdge('pause', END)
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
  const [guarded, unguarded] = [await play(script), await play(script, { checks: [], recursionLimit: 0 })]
  expect([guarded.status, unguarded.status]).toEqual(['done_success', 'done_partial'])
  const saved = unguarded.visited.length - guarded.visited.length
  console.log(`early exit: ${guarded.visited.length} steps in place of ${unguarded.visited.length}, ${saved} saved`)
  expect(saved).toBe(18)
})

test('without kotef the same graph runs into the limit of LangGraph', async () => {
  const off = { edgeStop: 0, sameErrorStop: 0, sameCallStop: 0, cycleStop: 0 }
  const endless = play({ plan: () => 'verifier', verifier: run => run.check(RED) }, { limits: off, recursionLimit: 0 })
  await expect(endless).rejects.toThrow(/[Rr]ecursion limit of 25/)
})

test('a resumed graph gets 25 new super-steps from LangGraph, and no new attempts from kotef', async () => {
  let saved: string | null = null
  const store = {
    load: () => (saved === null ? null : JSON.parse(saved)),
    save: (state: object) => void (saved = JSON.stringify(state)),
  }
  const first = await play(
    { plan: turn => (turn < 3 ? 'verifier' : 'pause'), verifier: run => run.check(RED) },
    { store },
  )
  expect(first.status).toBe('running')
  const second = await play({ plan: () => 'verifier', verifier: run => run.check(RED) }, { store })
  expect(second).toMatchObject({ status: 'aborted_stuck', rule: 'same-error' })
  expect(second.visited.filter(it => it === 'verifier')).toHaveLength(1)
})

/** A wiring whose planner alone reports steps; `then` are the nodes that follow the one to which it goes. */
type Wiring = {
  readonly plan: (turn: number) => string
  readonly then?: Readonly<Record<string, string>>
  readonly act?: (run: Run, node: string, turn: number) => void
}

async function playPlannerOnly({ plan, then = {}, act = () => {} }: Wiring, options: RunOptions) {
  const run = createRun({ checks: ['tests'], ...options })
  const visited: string[] = []
  let next = ''
  const worker = (name: string) => (state: typeof State.State) => {
    visited.push(name)
    act(run, name, state.turn)
    return {}
  }
  const graph = new StateGraph(State)
    .addNode('planner', ({ turn }) => {
      visited.push('planner')
      const proposed = plan(turn)
      next = run.clamp(proposed)
      if (next === proposed) run.step('planner', next, { reason: `turn ${turn}`, researchQuality: 0.9 + turn / 1000 })
      return { turn: turn + 1 }
    })
    .addNode('researcher', worker('researcher'))
    .addNode('coder', worker('coder'))
    .addNode('verifier', worker('verifier'))
    .addNode('snitch', worker('snitch'))
    .addNode('ticket_closer', worker('ticket_closer'))
    .addEdge(START, 'planner')
    .addConditionalEdges('planner', () => next, ['researcher', 'coder', 'verifier', 'snitch', 'ticket_closer'])
    .addConditionalEdges('researcher', () => then['researcher'] ?? 'planner', ['planner', 'coder', 'verifier'])
    .addConditionalEdges('coder', () => then['coder'] ?? 'planner', ['planner', 'verifier'])
    .addEdge('verifier', 'planner')
    .addEdge('snitch', END)
    .addEdge('ticket_closer', END)
    .compile()
  await graph.invoke({ turn: 0 }, { recursionLimit: RECURSION_LIMIT })
  return { run, visited, ...run.decide() }
}

const patch = (turn: number) => ({ path: 'src/a.ts', before: `v${turn}`, after: `v${turn + 1}` })
const toVerifier = { coder: 'verifier' }

const WIRINGS: Readonly<Record<string, Wiring>> = {
  'coder and verifier in turn, and nothing comes of it': { plan: () => 'coder', then: toVerifier },
  'a coder that edits nothing': { plan: () => 'coder' },
  'researcher and coder in turn': { plan: turn => (turn % 2 === 0 ? 'researcher' : 'coder') },
  'research that gets better by a thousandth': { plan: () => 'researcher' },
  'a new patch each time, and the same red test': {
    plan: () => 'coder',
    then: toVerifier,
    act: (run, node, turn) => (node === 'coder' ? run.edit(patch(turn)) : node === 'verifier' && run.check(RED)),
  },
  'a new patch and another assertion each time': {
    plan: () => 'coder',
    then: toVerifier,
    act: (run, node, turn) =>
      node === 'coder'
        ? run.edit(patch(turn))
        : node === 'verifier' && run.check({ ...RED, output: `no ${'x'.repeat(turn)}` }),
  },
}

test.each(Object.keys(WIRINGS).flatMap(name => [undefined, 'strict' as const].map(profile => ({ name, profile }))))(
  'the run ends before the limit of LangGraph: $name, profile $profile',
  async ({ name, profile }) => {
    const wiring = WIRINGS[name]
    if (!wiring) throw new Error(name)
    const { status, rule, visited } = await playPlannerOnly(wiring, profile === undefined ? {} : { profile })
    console.log(`${name}, ${profile ?? 'default'}: ${status} by ${rule}, ${visited.length} of 25 nodes`)
    expect(status).toBe('aborted_stuck')
    expect(visited.at(-1)).toBe('snitch')
  },
)

test.each([
  ['another one of its own', 60, 59],
  ['none', 0, 100],
])('a graph with a limit of %s is not ended before it', (_, recursionLimit, taken) => {
  const run = createRun({ recursionLimit })
  let steps = 0
  for (; steps < 200 && run.clamp('coder') === 'coder'; steps++) {
    run.edit(patch(steps))
    run.step('planner', 'coder')
    run.step('coder', 'planner')
  }
  expect(run.decide()).toMatchObject({ rule: recursionLimit === 0 ? 'steps' : 'super-steps' })
  expect(run.decide().counters.totalSteps).toBeGreaterThan(taken - 6)
})

test('a planner that says it is done while a check is red ends as stuck, and one that gives up as well', async () => {
  const red = await playPlannerOnly(
    {
      plan: turn => (turn === 0 ? 'verifier' : 'ticket_closer'),
      act: (run, node) => node === 'verifier' && run.check(RED),
    },
    {},
  )
  expect(red).toMatchObject({ status: 'aborted_stuck', rule: 'ended-by-graph' })
  expect(red.evidence).toBe('The graph ended, and 1 of its 1 checks have not passed on this tree: tests')
  expect(red.visited.at(-1)).toBe('snitch')
  const up = await playPlannerOnly({ plan: () => 'snitch' }, { checks: [] })
  expect(up).toMatchObject({ status: 'aborted_stuck', visited: ['planner', 'snitch'] })
})
