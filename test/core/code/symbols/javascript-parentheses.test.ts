import { expect, test } from 'vitest'
import type { NodePlace } from '../../../../src/core/code/symbols/classify/class-rules.ts'
import { isSpareInJavascript, LEFT_EDGE } from '../../../../src/core/code/symbols/languages/javascript-parentheses.ts'
import { walkTree } from '../../../../src/core/code/symbols/syntax-node.ts'
import { parseHere } from '../../../rig/parse.ts'

/** What is in the parentheses of a text, each with whether they are spare. */
async function found(source: string): Promise<string[]> {
  const { text, root } = await parseHere('a.ts', source)
  const places: NodePlace[] = []
  walkTree(root, (node, ancestors) => {
    if (/^parenthesized_/.test(node.type)) places.push({ node, parent: ancestors.at(-1) ?? null, text })
    return true
  })
  return places.map(it => `${isSpareInJavascript(it) ? 'spare' : 'needed'} ${text.slice(it.node.start, it.node.end)}`)
}

test.each<[text: string, places: readonly string[]]>([
  ['x = (a)', ['spare (a)']],
  ['x = a + (b * c)', ['spare (b * c)']],
  ['x = (a, b)', ['needed (a, b)']],
  ['(a), b', ['spare (a)']],
  ['(a, b)', ['spare (a, b)']],
  ['x = y => (a, b)', ['needed (a, b)']],
  ['(a = b), c', ['spare (a = b)']],
  ['a && (b = c)', ['needed (b = c)']],
  ['a ? (b = c) : d', ['spare (b = c)']],
  ['(a = b) ? c : d', ['needed (a = b)']],
  ['x = (function () {})()', ['spare (function () {})']],
  ['(function () {}())', ['spare (function () {}())']],
  ['x = (() => {})()', ['needed (() => {})']],
  ['for (x = (a in b); ; ) {}', ['needed (a in b)']],
  ['x = (f(a in b)) + 1', ['spare (f(a in b))']],
  ['(a?.b).c', ['needed (a?.b)']],
  ['(a as B).c', ['needed (a as B)']],
  ['f((a as B))', ['spare (a as B)']],
  ['x = /** @type {A} */ (a)', ['needed (a)']],
  ['let a: (A | B) = 1', ['spare (A | B)']],
  ['let a: (A | B)[] = 1', ['needed (A | B)']],
  ['let a: (() => A) | B = 1', ['needed (() => A)']],
  ['x = a as ((b: B) => C)', ['spare ((b: B) => C)']],
])('of %j', async (text, places) => {
  expect(await found(text)).toEqual(places)
})

test.each(['function f() {}', 'class A {}', '{ a }', 'let [a] = b', 'async function f() {}'])(
  'no statement that is an expression begins as %j',
  text => {
    expect(LEFT_EDGE.test(text)).toBe(true)
  },
)
