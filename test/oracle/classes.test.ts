import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { CLASS_RULES } from '../../src/core/code/symbols/class-rules-by-language.ts'
import { classifyChange } from '../../src/core/code/symbols/classify/classify-change.ts'
import { languageOf } from '../../src/core/code/symbols/languages.ts'
import type { ParsedText, SyntaxNode } from '../../src/core/code/symbols/syntax-node.ts'
import { parseHere } from '../rig/parse.ts'
import { realSources } from '../rig/real-sources.ts'
import { SOURCE_PACKAGES } from '../rig/source-packages.ts'
import {
  commentEdits,
  edited,
  type FindEdits,
  layoutEdits,
  localRenames,
  swaps,
  UNSAFE_EDITS,
} from '../rig/text-edits.ts'

const CHARS_MAX = 16_000
const FILES_MAX = 30
const RUNS = 20
const HARMLESS = ['FORMAT', 'AST_REFACTOR']
const LANGUAGES = [
  'typescript',
  'tsx',
  'javascript',
  'python',
  'go',
  'rust',
  'java',
  'c',
  'cpp',
  'csharp',
  'ruby',
  'php',
]
// Where these are, no rename is proved: names are read, or may come from elsewhere.
const READS_NAMES = /\b(eval|with|callee|Function)\b|::\*/
// What is tried is the same in each run: a rename without a proof is allowed, so a random one would fail some day.
const SEED = 20_261_125

let sources: ReturnType<typeof realSources>

beforeAll(() => {
  sources = realSources(SOURCE_PACKAGES)
})

type RealFile = { readonly path: string; readonly parsed: ParsedText }

/** The files of a language, which are read and parsed once for all tests. */
function filesOf(language: string): Promise<readonly RealFile[]> {
  const known = filesRead.get(language) ?? readFilesOf(language)
  filesRead.set(language, known)
  return known
}

const filesRead = new Map<string, Promise<readonly RealFile[]>>()

async function readFilesOf(language: string): Promise<readonly RealFile[]> {
  const all = sources.paths.filter(it => languageOf(it)?.name === language && !it.endsWith('.d.ts'))
  // Of large packages, some files of each folder.
  const step = Math.max(1, Math.floor(all.length / (2 * FILES_MAX)))
  const paths = all.filter((_, n) => n % step === 0)
  const files: RealFile[] = []
  for (const path of paths) {
    if (files.length === FILES_MAX) break
    const text = readFileSync(join(sources.folder, path), 'utf8')
    const parsed = text.length < CHARS_MAX ? await parseHere(path, text) : null
    if (parsed && !hasBroken(parsed.root)) files.push({ path, parsed })
  }
  return files
}

function hasBroken(node: SyntaxNode): boolean {
  return node.isBroken || node.children.some(hasBroken)
}

async function classAfter({ path, parsed }: RealFile, text: string): Promise<string> {
  return classifyChange(parsed, await parseHere(path, text), CLASS_RULES[languageOf(path)!.name]).mutationClass
}

/** Makes edits of one kind in any of the files, and checks the class of each. */
async function check(files: readonly RealFile[], find: FindEdits, wanted: (found: string, diff: string) => void) {
  const edits = files.flatMap(file => find(file.parsed).map(it => ({ file, text: edited(file.parsed.text, it) })))
  if (edits.length === 0) return 0
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...edits), async ({ file, text }) => {
      wanted(await classAfter(file, text), `${file.path}: ${firstChange(file.parsed.text, text)}`)
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  )
  return edits.length
}

function firstChange(before: string, after: string): string {
  const [one, other] = [before.split('\n'), after.split('\n')]
  const row = one.findIndex((it, n) => it !== other[n])
  return `line ${row + 1}: ${one[row]} -> ${other[row]}`
}

describe.each(LANGUAGES)('real code in %s', language => {
  test('is layout against itself, and cut anywhere it is never layout', async () => {
    const files = await filesOf(language)
    expect(files.length).toBeGreaterThan(3)
    for (const it of files) expect(await classAfter(it, it.parsed.text), it.path).toBe('FORMAT')
    const cut = fc.tuple(fc.constantFrom(...files), fc.double({ min: 0.1, max: 0.9, noNaN: true }))
    await fc.assert(
      fc.asyncProperty(cut, async ([file, part]) => {
        const text = file.parsed.text.slice(0, Math.floor(file.parsed.text.length * part))
        // What remains of the code may be all of it.
        const isCode = file.parsed.root.children.some(it => it.start >= text.length && !/comment|text/.test(it.type))
        if (isCode) expect(HARMLESS).not.toContain(await classAfter(file, text))
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    )
  })

  test('is never called harmless after a change that is not', async () => {
    const files = await filesOf(language)
    let kinds = 0
    for (const [kind, find] of Object.entries(UNSAFE_EDITS)) {
      const tried = await check(files, find, (found, diff) => expect(HARMLESS, `${kind}, ${diff}`).not.toContain(found))
      if (tried > 0) kinds++
    }
    expect(kinds).toBeGreaterThanOrEqual(5)
  })

  test('stays what it is by blank lines and by comments for people', async () => {
    const mark = /^(python|ruby)$/.test(language) ? '#' : '//'
    // A blank line changes what __LINE__ is, and Go compares the output of an example with its last comment.
    const files = (await filesOf(language)).filter(it => !/__LINE__|Output:/.test(it.parsed.text))
    const lines = await check(files, layoutEdits, (found, diff) => expect(found, diff).toBe('FORMAT'))
    const comments = await check(files, commentEdits(mark), (found, diff) => expect(found, diff).toBe('AST_REFACTOR'))
    expect(Math.min(lines, comments)).toBeGreaterThan(0)
  })
})

test.each(['typescript', 'javascript', 'go', 'java', 'csharp', 'rust'])(
  'a local name of real code in %s may have another spelling',
  async language => {
    const files = (await filesOf(language)).filter(it => !READS_NAMES.test(it.parsed.text))
    const tried = await check(files, localRenames, (found, diff) => expect(found, diff).toBe('AST_REFACTOR'))
    expect(tried).toBeGreaterThan(0)
  },
)

test.each([
  ['typescript', /^import_statement$/],
  ['go', /^(function|method)_declaration$/],
  ['javascript', /^function_declaration$/],
  ['java', /^import_declaration$/],
  ['rust', /^use_declaration$/],
  ['csharp', /^using_directive$/],
] as const)('neighbours in %s of the type %s change places', async (language, types) => {
  const tried = await check(await filesOf(language), swaps(types), (found, diff) =>
    expect(found, diff).toBe('AST_REFACTOR'),
  )
  expect(tried).toBeGreaterThan(0)
})
