import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Declaration } from '../../src/core/code/symbols/declaration.ts'
import { findDeclarations } from '../../src/core/code/symbols/find-declarations.ts'
import { languageOf } from '../../src/core/code/symbols/languages.ts'
import { ctagsOf, needCtags } from '../rig/ctags.ts'
import { parseHere } from '../rig/parse.ts'
import { realSources } from '../rig/real-sources.ts'
import { scriptDeclarations } from '../rig/script-declarations.ts'
import { SOURCE_PACKAGES } from '../rig/source-packages.ts'
import { type Disputed, knownError, NOT_DECLARED, NOT_FOUND } from './ctags-errors.ts'

/** A language: its name for ctags, the files that are compared, and the kinds of ctags that kotef has too. */
type Row = { readonly language: string; readonly ctags: string; readonly files: RegExp; readonly kinds: string }

const SCRIPT = 'function generator class interface enum alias namespace method constant getter setter'
const C = 'function enum struct typedef union class namespace'
const ROWS: readonly Row[] = [
  row('typescript TypeScript', /^(rxjs|usb)\/package\/(src\/internal\/[^/]+|tsc\/.*)(?<!\.d)\.ts$/, SCRIPT),
  row('tsx TypeScript', /\.tsx$/, SCRIPT),
  row('javascript JavaScript', /^(express|node-gyp)\/.*\/lib\/.*\.js$/, SCRIPT),
  row('python Python', /^node-gyp\/.*\/pylib\/gyp\/.*\.py$/, 'function class member variable'),
  row('go Go', /\.go$/, 'func const type struct interface alias'),
  row('rust Rust', /^librust.*\/src\/.*\.rs$/, 'module struct interface function enum typedef variable method'),
  row('java Java', /\.java$/, 'annotation class enum interface method'),
  row('c C', /^usb\/.*\/libusb\/libusb\/.*\.c$/, C),
  row('cpp C++', /^(leveldown\/.*\/(db|table|util)\/.*\.(cc|h)|(nan|node-addon-api)\/.*\.h)$/, C),
  row('csharp C#', /\.cs$/, 'class enum interface method struct'),
  row('ruby Ruby', /\.rb$/, 'class method module singletonMethod constant'),
  row('php PHP', /\.php$/, 'class define function interface trait'),
]

function row(names: string, files: RegExp, kinds: string): Row {
  const [language = '', ctags = ''] = names.split(' ')
  return { language, ctags, files, kinds }
}

/** A name at a line of a file. */
type Named = { readonly path: string; readonly line: number; readonly name: string }

const table: Record<string, Record<string, number>> = {}
const reasonsSeen = new Set<string>()
let sources: ReturnType<typeof realSources>

beforeAll(() => {
  needCtags()
  sources = realSources(SOURCE_PACKAGES)
})

// oxlint-disable-next-line no-console -- what the comparison is for
afterAll(() => console.table(table))

// What oxc-parser finds counts as well: ctags 5.9 loses the methods of a class after one with type parameters.
test.each(ROWS)(
  'kotef lists the declarations of $language that ctags lists, and no others',
  async ({ language, ...it }) => {
    const paths = sources.paths.filter(path => it.files.test(path))
    const found = byKey((await Promise.all(paths.map(declarationsIn))).flat())
    const tags = byKey(ctagsOf(sources.folder, it.ctags, paths).filter(tag => it.kinds.split(' ').includes(tag.kind)))
    const scripts = byKey(it.kinds === SCRIPT ? paths.flatMap(scriptDeclarationsIn) : [])
    const set = { language: it.ctags }
    const missed = [...tags].filter(
      ([key, tag]) => !found.has(key) && !isKnown(NOT_DECLARED, { ...tag, ...set, around: tag.scopeKind }),
    )
    const extra = [...found].filter(
      ([key, mine]) => !tags.has(key) && !scripts.has(key) && !isKnown(NOT_FOUND, { ...mine, ...set }),
    )
    const lost = [...scripts.keys(), ...missed.map(([key]) => key)].filter(key => !found.has(key))
    const shared = found.size - extra.length
    const recall = shared / (shared + lost.length)
    const precision = shared / found.size
    table[language] = { files: paths.length, declarations: found.size, missed: lost.length, extra: extra.length }
    const differences = [...lost.map(key => `- ${key}`), ...extra.map(([key]) => `+ ${key}`)].join('\n')
    expect(paths.length, `files of ${language}`).toBeGreaterThanOrEqual(10)
    expect(Math.min(recall, precision), differences).toBeGreaterThanOrEqual(0.98)
  },
)

test('each error of ctags that is set aside is one that it makes', () => {
  const reasons = [...NOT_DECLARED, ...NOT_FOUND].map(it => it.reason)
  expect(reasons.filter(it => !reasonsSeen.has(it))).toEqual([])
})

function isKnown(errors: typeof NOT_DECLARED, it: Omit<Disputed, 'source'> & Named): boolean {
  const reason = knownError(errors, { ...it, source: textOf(it.path).split('\n')[it.line - 1] ?? '' })
  if (reason !== null) reasonsSeen.add(reason)
  return reason !== null
}

async function declarationsIn(path: string): Promise<(Declaration & Named & { around: string | null })[]> {
  const all = findDeclarations(await parseHere(path, textOf(path)), languageOf(path)!.declarations)
  const around = (it: Declaration) =>
    all.find(that => that.name === it.container && that.startLine <= it.startLine && that.endLine >= it.endLine)
  return all.map(it => ({ ...it, path, around: around(it)?.kind ?? null }))
}

function scriptDeclarationsIn(path: string): Named[] {
  return scriptDeclarations(path, textOf(path)).map(it => ({ ...it, path }))
}

// ctags has blanks in `operator ==`, gives `A::B` the name B, and leaves `#` out.
function byKey<It extends Named>(all: readonly It[]): Map<string, It> {
  const nameOf = ({ name }: Named) =>
    name.startsWith('operator') ? name.replaceAll(' ', '') : name.replace(/^(.*::|#)/, '')
  return new Map(all.map(it => [`${it.path}:${it.line} ${nameOf(it)}`, it]))
}

const texts = new Map<string, string>()

function textOf(path: string): string {
  const text = texts.get(path) ?? readFileSync(join(sources.folder, path), 'utf8')
  texts.set(path, text)
  return text
}
