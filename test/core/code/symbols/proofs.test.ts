import { describe, expect, test } from 'vitest'
import type { ClassRules } from '../../../../src/core/code/symbols/classify/class-rules.ts'
import { classifyChange } from '../../../../src/core/code/symbols/classify/classify-change.ts'
import { compareComments } from '../../../../src/core/code/symbols/classify/compare-comments.ts'
import { compareTrees } from '../../../../src/core/code/symbols/classify/compare-trees.ts'
import { movedParts, orderedTree } from '../../../../src/core/code/symbols/classify/moves.ts'
import {
  isExposed,
  isMember,
  isNamedIn,
  isOdd,
  spaceOf,
} from '../../../../src/core/code/symbols/classify/name-places.ts'
import { type NormalForm, normalForm, type NormalNode } from '../../../../src/core/code/symbols/classify/normal-form.ts'
import { proveRenames } from '../../../../src/core/code/symbols/classify/renames.ts'
import { TOOL_COMMENTS } from '../../../../src/core/code/symbols/classify/tool-comments.ts'
import { javascriptClass } from '../../../../src/core/code/symbols/languages/javascript-class.ts'
import { movableInJavascript } from '../../../../src/core/code/symbols/languages/javascript-moves.ts'
import { parseHere } from '../../../rig/parse.ts'

const RULES: ClassRules = javascriptClass

async function formOf(text: string): Promise<NormalForm> {
  const { root } = await parseHere('a.ts', text)
  return normalForm(text, root, { layout: RULES.layout, containers: RULES.moves.containers })
}

function leavesOf(node: NormalNode): string[] {
  return node.text === null ? node.children.flatMap(leavesOf) : [node.text]
}

describe('the normal form of a text', () => {
  test.each([
    ['let a = 1;', 'let a = 1', ['semicolons']],
    ['f(a,\n  b,\n)', 'f ( a , b )', ['trailing commas']],
    ['x = (a * b) + c', 'x = a * b + c', ['parentheses']],
    ['f("a", \'b\')', 'f ( a , b )', []],
    ["f(\"it's\", 'it\\'s')", "f ( it's , it's )", []],
    ['f("a\\n")', 'f ( a\\n )', []],
    ['f("a\\\nb")', 'f ( " a \\\n b " )', []],
    ['(x) => x', 'x => x', ['parentheses']],
    ['(x: T) => x', '( x : T ) => x', []],
    ['(x): T => x', '( x ) : T => x', []],
    ['f(`a\n  ${b} c`)', 'f ( ` a\n   ${ b }  c ` )', []],
    ['(a?.b).c', '( a ?. b ) . c', []],
  ])('of %j has the leaves %j', async (text, leaves, leftOut) => {
    const form = await formOf(text)
    expect(leavesOf(form.root).join(' ')).toBe(leaves)
    expect([...form.leftOut.keys()]).toEqual(leftOut)
  })

  test('keeps comments apart, each with the leaves before it', async () => {
    const { comments } = await formOf('// one\nlet a = 1 /* two\n   lines */\n')
    expect(comments.map(it => [it.text, it.leaf, it.row, it.endRow])).toEqual([
      ['// one', 0, 0, 0],
      ['/* two\nlines */', 4, 1, 2],
    ])
  })

  test('keeps what can’t be parsed as it is, and no more than the statement around it', async () => {
    const { broken } = await formOf('let a = 1\nfunction f() { let = = }\nlet b = 2\n')
    expect(broken.length).toBeGreaterThan(0)
    expect(broken.join('')).not.toContain('let b')
  })
})

describe('moves', () => {
  const order = async (text: string) => orderedTree((await formOf(text)).root, RULES.moves, text)

  test.each<[before: string, after: string, moved: readonly string[] | null]>([
    ['function b() {}\nfunction a() {}', 'function a() {}\nfunction b() {}', ['declaration b', 'declaration a']],
    ['import b from "b"\nimport a from "a"', 'import a from "a"\nimport b from "b"', ['import b', 'import a']],
    ['import "b"\nimport a from "a"', 'import a from "a"\nimport "b"', null],
    ['let b = f()\nlet a = g()', 'let a = g()\nlet b = f()', null],
    ['function a() {}\nlet b = a()', 'let b = a()\nfunction a() {}', ['declaration a']],
    ['class A { b() {} a() {} }', 'class A { a() {} b() {} }', ['method b', 'method a']],
    ['class A { get a() {} set a(b) {} }', 'class A { set a(b) {} get a() {} }', null],
  ])('from %j to %j', async (before, after, moved) => {
    const [one, other] = [await order(before), await order(after)]
    const isSame =
      compareTrees(one.root, other.root).isSame && leavesOf(one.root).join() === leavesOf(other.root).join()
    expect(isSame ? movedParts(one, other).map(it => it.key) : null).toEqual(moved)
  })
})

describe('what may move in JavaScript', () => {
  test.each<[text: string, keys: readonly string[]]>([
    ['function f() {}', ['f']],
    ['function f(a: 1): 1\nfunction f(a) {}', []],
    ['function f() {}\nnamespace f {}', []],
    ['import a from "b"', ['b']],
    ['import {} from "b"', []],
    ['import "b"', []],
  ])('of %j', async (text, keys) => {
    const { root } = await parseHere('a.ts', text)
    const found = root.children.map(node => movableInJavascript({ node, parent: root, text, prefixes: [] })?.key)
    expect(found.filter(it => it !== undefined)).toEqual(keys)
  })
})

describe('the place of a name', () => {
  const treesOf = async (text: string) => {
    const { root } = await formOf(text)
    const comparison = compareTrees(root, root)
    if (!comparison.isSame) throw new Error('A tree differs from itself.')
    return { ...comparison, texts: [text, text], rules: RULES.names } as const
  }

  test.each([
    ['use(a)', { isExposed: false, isMember: false, space: 'value' }],
    ['use({ a })', { isExposed: true, isMember: false, space: 'value' }],
    ['import { a } from "b"', { isExposed: false, isMember: true, space: 'value' }],
    ['let x: a', { isExposed: false, isMember: false, space: 'type' }],
    ['x.a', { isExposed: false, isMember: false, space: null }],
  ])('in %j', async (text, place) => {
    const trees = await treesOf(text)
    const at = trees.leaves.findIndex(it => it.before.text === 'a')
    const space = spaceOf(trees.leaves[at]!.before, RULES.names)
    expect({ isExposed: isExposed(trees, at), isMember: isMember(trees, at), space }).toEqual(place)
  })

  test('is found within a node that mentions it', async () => {
    const trees = await treesOf('class A { @b(a) c() {} }')
    const types = ['decorator']
    const named = (name: string) => trees.leaves.some((_, at) => isNamedIn(trees, at, { types, names: [name] }))
    expect(['a', 'c'].map(named)).toEqual([true, false])
  })

  test('may have another spelling', async () => {
    const { leaves } = await treesOf('a\\u0062; ab; \ufb01')
    expect(leaves.map(it => isOdd(it, RULES.names))).toEqual([true, false, true])
  })
})

describe('renames', () => {
  test.each<[before: string, after: string, names: readonly string[] | null]>([
    ['function f(a) { return a + a }', 'function f(b) { return b + b }', ['a b']],
    ['function f(a) { return a + c }', 'function f(c) { return c + c }', null],
    ['function f(a) { return a + a }', 'function f(b) { return b + a }', null],
    ['function f(a, b) { return a - b }', 'function f(b, a) { return b - a }', ['a b', 'b a']],
    ['function f(a, b) { return a - b }', 'function f(b, a) { return a - b }', null],
    ['let a = 1; f(a)', 'let b = 1; f(b)', null],
    ['function f() { let a = 1; return { a } }', 'function f() { let b = 1; return { b } }', null],
    ['function f() { { let a = 1; g(a) } return a }', 'function f() { { let b = 1; g(b) } return b }', null],
    ['function f() { const a = () => a(); a() }', 'function f() { const b = () => b(); b() }', ['a b']],
    ['function f<T>(a: T): T { return a }', 'function f<U>(a: U): U { return a }', ['T U']],
    ['function f(a) { return eval("a") }', 'function f(b) { return eval("a") }', null],
  ])('from %j to %j', async (before, after, names) => {
    const comparison = compareTrees((await formOf(before)).root, (await formOf(after)).root)
    if (!comparison.isSame) throw new Error('The trees have different shapes.')
    const proof = proveRenames({ ...comparison, texts: [before, after], rules: RULES.names })
    expect(proof.isProved ? proof.renames.map(it => `${it.from} ${it.to}`) : null).toEqual(names)
  })

  test('trees of different shapes are compared up to their first difference', async () => {
    const comparison = compareTrees((await formOf('a()\nb(1)\n')).root, (await formOf('a()\nc.d(1)\n')).root)
    expect(comparison).toMatchObject({ isSame: false, before: { text: 'b' }, after: { type: 'member_expression' } })
  })
})

describe('comments', () => {
  test.each([
    ['// a\nf()', '// b\nf()', 'prose'],
    ['f() // a', '// a\nf()', 'prose'],
    ['f() // a', 'f()  // a', 'none'],
    ['f()', '// eslint-disable-next-line\nf()', 'tool'],
    ['// eslint-disable-next-line\nf()', '// eslint-disable-next-line\n\nf()', 'tool'],
    ['// @ts-expect-error\nf(1, 2)', '// @ts-expect-error\nf(1,\n  2)', 'tool'],
    ['return_(/* a */ 1)', 'return_(/* a\n */ 1)', 'tool'],
  ])('from %j to %j: %s', async (before, after, change) => {
    const found = compareComments(await formOf(before), await formOf(after), {
      toolComment: TOOL_COMMENTS.javascript,
      moved: [],
    })
    expect(found.change).toBe(change)
  })
})

test('the evidence of a class has its lines and its rule', async () => {
  const evidence = async (before: string, after: string) => {
    const [one, other] = [await parseHere('a.ts', before), await parseHere('a.ts', after)]
    return classifyChange(one, other, RULES).evidence
  }
  expect(await evidence('f(a)\n', 'f(a);\n')).toEqual(['the tokens are equal without semicolons'])
  expect(await evidence('// x\nfunction f(a) { g(a) }\n', '// y\nfunction f(b) {\n  g(b) }\n')).toEqual([
    'lines 2 and 2: the local name a is b now',
    'line 1: a comment differs',
  ])
  expect(await evidence('if (ok) f()\n', 'f()\n')).toEqual(['line 1: if statement is expression statement now'])
  expect(await evidence('f(', 'f()')).toEqual(['a part that can’t be parsed differs'])
})
