import { expect, test } from 'vitest'
import { registryProblems } from '../../../src/core/intents/registry.ts'

const problemsIn = (intents: unknown) =>
  registryProblems([{ file: 'r', raw: { active_intents: intents }, lineAt: path => path.length }]).map(
    it => it.expected,
  )

test.each<[string, unknown, string[]]>([
  ['no list at all', 'text', []],
  ['intents that are no maps', [null, 5, 'x'], []],
  ['ids that differ', [{ id: 'A-1' }, { id: 'A-2' }], []],
  ['an id used twice', [{ id: 'A-1' }, { id: 'A-1' }], ['an id of its own, because an earlier intent is A-1']],
  ['a dependency on nothing', [{ id: 'A-1', depends_on: ['A-9', 7] }], ['the id of another intent in the registry']],
])('%s', (_, intents, expected) => {
  expect(problemsIn(intents)).toEqual(expected)
})

test('of every dependency graph of three intents, those that wait for themselves are found, and no others', () => {
  const ids = ['A-1', 'A-2', 'A-3']
  for (let bits = 0; bits < 512; bits++) {
    const edges = ids.map((_, from) => ids.filter((_, to) => bits & (1 << (from * 3 + to))))
    const intents = ids.map((id, n) => ({ id, depends_on: edges[n] }))
    const found = registryProblems([{ file: 'r', raw: { active_intents: intents }, lineAt: () => null }]).map(
      it => it.found,
    )
    const cyclic = ids.filter((id, n) => reaches(edges, n, id)).map(id => `${id} in its own depends_on`)
    expect(found, JSON.stringify(edges)).toEqual(cyclic)
  }
})

/** Whether a walk of at most three steps leads from an intent to an id: enough in a graph of three. */
function reaches(edges: readonly (readonly string[])[], from: number, id: string, steps = 3): boolean {
  const next = edges[from] ?? []
  return steps > 0 && (next.includes(id) || next.some(it => reaches(edges, Number(it.at(-1)) - 1, id, steps - 1)))
}
