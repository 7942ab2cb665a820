import type { Random } from '../rig/random.ts'

/** Damages some bytes in one of the ways in which a file, or a payload, may arrive. */
export function mutated(bytes: Buffer, random: Random): { readonly how: string; readonly bytes: Buffer } {
  const [how, change] = random.pick(MUTATIONS)
  return { how, bytes: change(bytes, random) }
}

type Mutation = readonly [how: string, change: (bytes: Buffer, random: Random) => Buffer]

const MUTATIONS: readonly Mutation[] = [
  ['a bit', flipBits(1)],
  ['twenty bits', flipBits(20)],
  ['cut at the end', (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1))],
  ['cut at the beginning', (bytes, random) => bytes.subarray(random.below(bytes.length + 1))],
  ['a hole', (bytes, random) => between(bytes, random, () => '')],
  ['zeros', (bytes, random) => between(bytes, random, it => Buffer.alloc(it.length))],
  ['a part twice', (bytes, random) => between(bytes, random, it => Buffer.concat([it, it]))],
  ['lines shuffled', (bytes, random) => ofLines(bytes, lines => shuffled(lines, random))],
  ['a line less', (bytes, random) => ofLines(bytes, lines => lines.toSpliced(random.below(lines.length), 1))],
  ['a line twice', (bytes, random) => ofLines(bytes, lines => [...lines, random.pick(lines)])],
  ['a line of 70 KB', insertion('\n', 'x'.repeat(70_000), '\n')],
  ['70 KB in a line', insertion('"', 'x'.repeat(70_000), '"')],
  ['a word', (bytes, random) => insertion(random.pick(WORDS))(bytes, random)],
  ['a line', (bytes, random) => insertion('\n', random.pick(TRAPS), '\n')(bytes, random)],
  ['a text in place', (_, random) => Buffer.from(random.pick([...WORDS, ...TRAPS, '']))],
  ['a number', (bytes, random) => replaced(bytes, /\d+/g, { by: NUMBERS, random })],
  ['a value', (bytes, random) => replaced(bytes, /"[^"\n]*"|\[[^\][\n]*\]/g, { by: VALUES, random })],
  ['deep nesting', (_, random) => Buffer.from(random.pick(NESTINGS).repeat(20_000))],
  ['a byte order mark', bytes => Buffer.concat([Buffer.from('\ufeff'), bytes])],
  ['CRLF', bytes => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1')],
  ['UTF-16', bytes => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(bytes.toString('utf8'), 'utf16le')])],
  ['invalid UTF-8', insertion(Buffer.from([0xc3, 0x28, 0xff, 0xed, 0xa0, 0x80]))],
]

const WORDS = [
  '\0',
  '\u2028',
  '*',
  '&a ',
  '*a',
  '!',
  '!!js/function ',
  '|',
  '>',
  '%',
  '"',
  "'",
  '{',
  '}',
  ']',
  ',',
  '-',
  ': ',
  '\t',
]
const TRAPS = [
  '<<: *a',
  '<<: { owned_scope: ["**"] }',
  '&a [*a]',
  'a: &a { b: *a }',
  '!!binary aGk=',
  '!!set { a }',
  '---',
  '...',
  '%YAML 9.9',
  'version: 1',
  'version: 2',
  'active_intents: []',
  'owned_scope: ["**"]',
  'null',
  'true',
  '[]',
  '{}',
  '0',
  '""',
  '{"__proto__": {"owned_scope": ["**"]}}',
  '__proto__: { a: b }',
  'constructor: 1',
  '<<<<<<< ours',
  '>>>>>>> theirs',
  '!*',
  '**',
  '/**',
  '```',
  '<!--',
  '## Forbidden Paths',
  'a: a: a',
  '? a',
  '- - - -',
  '\u202e',
  '{"a":1}{"a":2}',
]
const NESTINGS = ['[', '{"a":', '- ', '> ', 'a: {', '(']
const NUMBERS = [
  '-1',
  '0',
  '1e999',
  '-0',
  '99999999999999999999',
  '0x10',
  '1.5',
  'NaN',
  '2147483648',
  '08',
  'null',
  '"1"',
]
const VALUES = ['null', '1', 'true', '[]', '{}', '""', '["**"]', '{"toString":1}', '"\\u0000"', '[[[]]]', '"../.."']

function flipBits(count: number) {
  return (bytes: Buffer, random: Random): Buffer => {
    const copy = Buffer.from(bytes)
    for (let n = 0; n < count && copy.length > 0; n++) {
      const at = random.below(copy.length)
      copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8))
    }
    return copy
  }
}

function between(bytes: Buffer, random: Random, change: (part: Buffer) => Buffer | string): Buffer {
  const [from = 0, to = 0] = [random.below(bytes.length + 1), random.below(bytes.length + 1)].sort((a, b) => a - b)
  return Buffer.concat([bytes.subarray(0, from), Buffer.from(change(bytes.subarray(from, to))), bytes.subarray(to)])
}

function insertion(...parts: readonly (string | Buffer)[]) {
  return (bytes: Buffer, random: Random): Buffer => {
    const at = random.below(bytes.length + 1)
    return Buffer.concat([bytes.subarray(0, at), ...parts.map(it => Buffer.from(it)), bytes.subarray(at)])
  }
}

function ofLines(bytes: Buffer, change: (lines: readonly string[]) => readonly string[]): Buffer {
  return Buffer.from(change(bytes.toString('latin1').split('\n')).join('\n'), 'latin1')
}

function shuffled(lines: readonly string[], random: Random): readonly string[] {
  return lines
    .map(it => [random.below(1_000_000), it] as const)
    .toSorted((a, b) => a[0] - b[0])
    .map(it => it[1])
}

type Choice = { readonly by: readonly string[]; readonly random: Random }

function replaced(bytes: Buffer, pattern: RegExp, { by, random }: Choice): Buffer {
  const text = bytes.toString('latin1')
  const found = [...text.matchAll(pattern)]
  const instead = random.pick(by)
  if (found.length === 0) return Buffer.from(instead)
  const it = random.pick(found)
  return Buffer.from(text.slice(0, it.index) + instead + text.slice(it.index + it[0].length), 'latin1')
}
