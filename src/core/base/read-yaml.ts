import {
  LineCounter,
  parseDocument,
  visit,
  isAlias,
  isMap,
  isPair,
  isScalar,
  type Document,
  type Node,
  type YAMLError,
  type YAMLWarning,
} from 'yaml'
import type * as z from 'zod'
import type { Problem } from './finding.ts'
import { yamlExcess } from './yaml-excess.ts'

/** A parsed YAML file: its value if it is valid, all problems, and the line of each part. */
export type YamlReading<T> = {
  readonly value: T | null
  /** The content before validation, for rules that also check a file of the wrong shape. */
  readonly raw: unknown
  readonly problems: readonly Problem[]
  readonly lineAt: (path: YamlPath) => number | null
}

export type YamlPath = readonly PropertyKey[]

/** Reads a YAML file by a schema whose messages complete the sentence "expected …". Never throws. */
export function readYaml<T>(file: string, text: string, schema: z.ZodType<T>): YamlReading<T> {
  const excess = yamlExcess(text)
  if (excess !== null) {
    return { value: null, raw: null, problems: [{ file, ...excess }], lineAt: () => null }
  }
  const counter = new LineCounter()
  // The library's own warnings are not for the user: the schema says what is wrong.
  // It compares each key of a map with every other one, so keys that are there twice are found here.
  const options = { lineCounter: counter, prettyErrors: false, logLevel: 'error', uniqueKeys: false } as const
  const doc = parseDocument(text, options)
  const lineAt = (path: YamlPath): number | null => lineOfPath(doc, path, counter)
  // What the parser says after its first error follows from that.
  const [first] = doc.errors
  const faults = first ? [first] : doc.warnings.slice(0, PROBLEMS_MAX)
  const syntax = faults.map(it => syntaxProblem(file, it, { text, counter }))
  const repeated = first ? [] : repeatedKeys(doc).slice(0, PROBLEMS_MAX)
  const broken = [...syntax, ...repeated.map(it => repeatedKeyProblem(file, it, { text, counter }))]
  const cycle = aliasCycle(doc)
  if (cycle !== null) {
    const line = counter.linePos(cycle).line
    const expected = 'an alias of an earlier part'
    return {
      value: null,
      raw: null,
      problems: [...broken, { file, line, expected, found: 'an alias of a part that contains it' }],
      lineAt,
    }
  }
  const raw = rawOf(doc)
  if (raw instanceof Error) {
    const problem = { file, line: null, expected: 'YAML whose aliases can be resolved', found: oneLine(raw.message) }
    return { value: null, raw: null, problems: [...broken, problem], lineAt }
  }
  const shaped = schema.safeParse(raw)
  // A text that is not YAML has the wrong shape as well; its syntax errors are enough.
  const shape = shaped.success || doc.errors.length > 0 ? [] : shaped.error.issues.slice(0, PROBLEMS_MAX)
  const problems = [...broken, ...shape.flatMap(it => shapeProblems(file, it, { raw, lineAt }))].sort(byLine)
  return { value: shaped.success && problems.length === 0 ? shaped.data : null, raw, problems, lineAt }
}

// Nobody reads more, and to find the line of each takes time.
const PROBLEMS_MAX = 1000

/** The order in which problems are printed. */
export function byLine(a: Problem, b: Problem): number {
  return (a.line ?? 0) - (b.line ?? 0)
}

/** An optional value with a default. In YAML a key without a value is null; kotef treats it as a missing key. */
export function withDefault<T extends z.ZodType, D>(schema: T, fallback: D) {
  return schema.nullish().transform(it => it ?? fallback)
}

/** The value at a path as JSON, shortened to one line. */
export function excerptAt(raw: unknown, path: YamlPath): string {
  const value = path.reduce<unknown>((it, key) => (Object(it) as Record<PropertyKey, unknown>)[key], raw)
  if (value === undefined || value === null) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

// The offset of an alias that is part of its own target, which would be endless; null without one.
function aliasCycle(doc: Document): number | null {
  let found: number | null = null
  const anchored = new Map<string, Node>()
  visit(doc, {
    Node(_, node, path) {
      if (!isAlias(node)) return void (node.anchor && anchored.set(node.anchor, node))
      const target = anchored.get(node.source)
      if (target === undefined || !path.includes(target)) return undefined
      found = node.range?.[0] ?? 0
      return visit.BREAK
    },
  })
  return found
}

// yaml throws when aliases multiply beyond its limit; there is no function to check that before.
function rawOf(doc: Document): unknown {
  try {
    return doc.toJS()
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown))
  }
}

type LocatedText = { readonly text: string; readonly counter: LineCounter }

function syntaxProblem(file: string, error: YAMLError | YAMLWarning, { text, counter }: LocatedText): Problem {
  const line = counter.linePos(error.pos[0]).line
  const isConflict = /^[<=>|]{7}(?: |$)/.test(text.split(/\r?\n/, line)[line - 1] ?? '')
  const found = isConflict ? 'a mark of a merge conflict' : (SYNTAX_WORDS[error.code] ?? oneLine(error.message))
  return { file, line, expected: 'valid YAML', found }
}

// The parser's own words for these name its tokens.
const SYNTAX_WORDS: Readonly<Partial<Record<string, string>>> = {
  UNEXPECTED_TOKEN: 'a line that does not belong there: compare its indentation with that of the line above it',
  TAB_AS_INDENT: 'a tab in the indentation, where YAML takes spaces only',
  BLOCK_AS_IMPLICIT_KEY: 'a second `: ` on one line: put the text behind the first one in quotes',
  BAD_SCALAR_START: 'a text that begins with a sign of YAML: put it in quotes',
}

/** The offsets of keys that their map has already. */
function repeatedKeys(doc: Document): number[] {
  const found: number[] = []
  visit(doc, {
    Map(_, map) {
      const values = new Set<unknown>()
      for (const { key } of map.items) {
        const value = keyValue(key)
        if (values.has(value)) found.push((key as Node | null)?.range?.[0] ?? 0)
        values.add(value)
      }
    },
  })
  return found
}

function repeatedKeyProblem(file: string, offset: number, { text, counter }: LocatedText): Problem {
  const key = /^[^:\s]*/.exec(text.slice(offset))?.[0] ?? ''
  return { file, line: counter.linePos(offset).line, expected: 'each key once', found: `a second \`${key}\`` }
}

function shapeProblems(
  file: string,
  issue: z.core.$ZodIssue,
  { raw, lineAt }: Pick<YamlReading<unknown>, 'raw' | 'lineAt'>,
): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, PROBLEMS_MAX).map(key => {
      return { file, line: lineAt([...issue.path, key]), expected: issue.message, found: `the unknown key \`${key}\`` }
    })
  }
  const name = issue.path.findLast(it => typeof it === 'string')
  const place = typeof issue.path.at(-1) === 'number' ? 'in' : 'as'
  const expected = name === undefined ? issue.message : `${issue.message} ${place} \`${name}\``
  return [{ file, line: lineAt(issue.path), expected, found: excerptAt(raw, issue.path) }]
}

// A missing part has no line, so the line is that of the nearest part around it.
function lineOfPath(doc: Document, path: YamlPath, counter: LineCounter): number | null {
  for (let length = path.length; length >= 0; length--) {
    const start = startOfPath(doc, path.slice(0, length))
    if (start !== null) return counter.linePos(start).line
  }
  return null
}

function startOfPath(doc: Document, path: YamlPath): number | null {
  const parent = path.length === 0 ? null : doc.getIn(path.slice(0, -1), true)
  const pair = isMap(parent) ? parent.items.find(it => isPair(it) && keyValue(it.key) === path.at(-1)) : undefined
  const node = pair ? pair.key : doc.getIn(path, true)
  return (node as Node | null | undefined)?.range?.[0] ?? null
}

function keyValue(key: unknown): unknown {
  return isScalar(key) ? key.value : key
}

function oneLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
