import { shellQuoted } from '../../src/core/base/printable.ts'
import type { Random } from '../rig/random.ts'

/** A command line in the making: the assignments that its words need, to be put before it. */
export type Draft = { readonly random: Random; readonly prelude: string[] }

const FILES = [
  ...['README.md', 'lib/tax.ts', 'src/a.ts', 'src', 'lib', '.', 'data.json', 'a.gz', 'a.tar', 'a.zip', 'a b.txt'],
  ...[
    'nope',
    '-',
    '--',
    './README.md',
    'src/link/tax.ts',
    'HEAD',
    'main',
    'v1',
    '/dev/null',
    '/dev/stdin',
    '/dev/fd/5',
  ],
]

/** The name of a file, mostly one that exists. */
export function anyFile({ random }: Draft): string {
  return random.pick(FILES)
}

/** The name of a file that nothing may write. */
export function keptFile({ random }: Draft): string {
  return random.pick(['lib/evil', 'evil', 'lib/tax.ts', 'README.md', '.git/config', '../evil', '../lib/evil'])
}

/** One of many spellings of a word; some of them are only known at run time. */
export function spelled(draft: Draft, text: string): string {
  const { random } = draft
  if (random.below(10) < 6) return shellQuoted(text)
  return random.pick(SPELLINGS)(text, draft)
}

type Spelling = (text: string, draft: Draft) => string

const inDoubleQuotes: Spelling = text => `"${text.replace(/["\\$`]/g, '\\$&')}"`
const ansi: Spelling = text => `$'${text.replace(/['\\]/g, '\\$&').replace(/-/g, '\\x2d')}'`

function declared(draft: Draft, assignment: (name: string) => string): string {
  const name = draft.random.pick(['v', 'w', 'x', 'args', 'files'])
  draft.prelude.push(assignment(name))
  return name
}

const SPELLINGS: readonly Spelling[] = [
  text => `'${text.replaceAll("'", `'\\''`)}'`,
  inDoubleQuotes,
  ansi,
  text => `$${inDoubleQuotes(text, undefined as never)}`,
  text => shellQuoted(text.slice(0, 1)) + shellQuoted(text.slice(1)),
  text => `${text.slice(0, 2).replace(/[^\w./-]/g, '\\$&')}""${shellQuoted(text.slice(2))}`,
  text => (/^[\w./-]+$/.test(text) ? `${text.slice(0, -1)}\\${text.slice(-1)}` : shellQuoted(text)),
  text => (/^[\w./-]+$/.test(text) ? `${text.slice(0, 3)}\\\n${text.slice(3)}` : shellQuoted(text)),
  (text, draft) => `$${declared(draft, name => `${name}=${shellQuoted(text)}`)}`,
  (text, draft) => `"$${declared(draft, name => `${name}=${shellQuoted(text)}`)}"`,
  (text, draft) =>
    `"\${${declared(draft, name => `${name}=(${shellQuoted(text)} ${shellQuoted(keptFile(draft))})`)}[@]}"`,
  (text, draft) => `"./\${${declared(draft, name => `${name}=(lib ${shellQuoted(text)})`)}[@]}"`,
  (text, draft) => `"HEAD\${${declared(draft, name => `${name}=('' ${shellQuoted(text)})`)}[@]}"`,
  (text, draft) => `\${${declared(draft, name => `${name}=(a ${shellQuoted(text)})`)}[1]}`,
  (text, draft) => `"a\${${declared(draft, name => `${name}=('' ${shellQuoted(text)})`)}[*]}"`,
  (text, draft) => {
    draft.prelude.push(`set -- '' ${shellQuoted(text)} ${shellQuoted(keptFile(draft))}`)
    return draft.random.pick(['"$@"', '$*', '"./$@"', '"${@:2}"', '"$2"', '${2}', '"a${@:1:2}"', '"src/$*"', '${@}'])
  },
  text => `\${nothing:-${shellQuoted(text)}}`,
  text => `"\${nothing-${text.replace(/["\\$`}]/g, '\\$&')}}"`,
  text => `\${HOME:+${shellQuoted(text)}}`,
  text => `$(echo ${shellQuoted(text)})`,
  text => `"$(printf %s ${shellQuoted(text)})"`,
  text => `\`echo ${shellQuoted(text)}\``,
  text => `{${shellQuoted(text)},README.md}`,
  text => `lib${'{/tax.ts,'}${shellQuoted(text)}}`,
  text => (text.length > 1 ? `${shellQuoted(text.slice(0, 2))}*` : '*'),
  () => '*',
  () => './*',
  () => 'src/*',
  () => 'odd/*',
  () => '~/x',
  () => '~+',
  () => '$?',
  () => '"$HOME"/x',
  () => '"$PWD"',
]
