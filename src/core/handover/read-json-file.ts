import { findNodeAtLocation, getNodeValue, type JSONPath, type Node, parseTree } from 'jsonc-parser'
import type * as z from 'zod'
import type { Problem } from '../base/finding.ts'
import { excerptAt } from '../base/read-yaml.ts'
import { jsonOrUndefined, withoutMark } from '../base/payload.ts'

/** A JSON file as read: its value if it is valid, and all problems with their lines. */
export type JsonReading<T> = { readonly value: T | null; readonly problems: readonly Problem[] }

/** Reads a JSON file by a schema whose messages complete the sentence "expected …". Never throws. */
export function readJsonFile<T>(file: string, text: string, schema: z.ZodType<T>): JsonReading<T> {
  const tree = jsonOrUndefined(text) === undefined ? undefined : treeOf(text)
  if (tree === undefined) return { value: null, problems: [syntaxProblem(file, text)] }
  const raw: unknown = getNodeValue(tree)
  const shaped = schema.safeParse(raw)
  const lineOf = (path: readonly PropertyKey[]): number => lineAt(text, nearestNode(tree, path).offset)
  const repeated = repeatedKeys(tree).map(({ name, offset }) => {
    return { file, line: lineAt(text, offset), expected: 'each key once', found: `a second \`${name}\`` }
  })
  const issues = shaped.success ? [] : shaped.error.issues.slice(0, PROBLEMS_MAX)
  const problems = [
    ...repeated,
    ...issues.map(({ path, message }) => {
      const expected = `${message}${placeOf(path)}`
      return { file, line: lineOf(path), expected, found: excerptAt(raw, path) }
    }),
  ]
  return { value: shaped.success && problems.length === 0 ? shaped.data : null, problems }
}

// The parser calls itself for each level, and a text may have any number of them.
function treeOf(text: string): Node | undefined {
  try {
    return parseTree(text)
  } catch {
    return undefined
  }
}

const PROBLEMS_MAX = 1000

function placeOf(path: readonly PropertyKey[]): string {
  const name = path.findLast(it => typeof it === 'string')
  return name === undefined ? '' : ` ${typeof path.at(-1) === 'number' ? 'in' : 'as'} \`${name}\``
}

// A missing part has no place, so it is that of the nearest part around it.
function nearestNode(tree: Node, path: readonly PropertyKey[]): Node {
  for (let length = path.length; length > 0; length--) {
    const found = findNodeAtLocation(tree, path.slice(0, length) as JSONPath)
    if (found) return found
  }
  return tree
}

function repeatedKeys(tree: Node): { readonly name: string; readonly offset: number }[] {
  const found: { name: string; offset: number }[] = []
  const open: Node[] = [tree]
  for (let node = open.pop(); node; node = open.pop()) {
    const known = new Set<string>()
    for (const child of node.children ?? []) {
      open.push(child)
      const [key] = node.type === 'object' ? (child.children ?? []) : []
      if (key && known.has(String(key.value))) found.push({ name: String(key.value), offset: key.offset })
      if (key) known.add(String(key.value))
    }
  }
  return found
}

function syntaxProblem(file: string, text: string): Problem {
  if (withoutMark(text) !== text)
    return { file, line: 1, expected: 'JSON in UTF-8 without a byte order mark', found: 'one at the beginning' }
  try {
    JSON.parse(text)
  } catch (thrown) {
    const why = thrown instanceof Error ? (thrown.message.split('\n', 1)[0] ?? '') : String(thrown)
    const offset = Number(/at position (\d+)/.exec(why)?.[1] ?? NaN)
    const line = Number.isNaN(offset) ? null : lineAt(text, offset)
    return { file, line, expected: 'valid JSON', found: why.slice(0, 120) }
  }
  return { file, line: null, expected: 'JSON that is not nested too deeply', found: `${text.length} characters` }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
