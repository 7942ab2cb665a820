import { shellQuoted } from '../../src/core/base/printable.ts'
import type { Random } from '../rig/random.ts'
import { type Commands, expansionOf, printfArguments, VARIABLES } from './expansions.ts'
import { AWK_PIECES, GIT_ROWS, PROGRAM_ROWS, type ProgramRow, SED_PIECES, SHAPES } from './programs.ts'
import { anyFile, type Draft, keptFile, spelled } from './words.ts'

const EXPANDING_SHAPES = SHAPES.filter(it => /%[EPN]/.test(it))

/** A command line of everyday programs, in which some parts write. */
export function generateLine(random: Random): string {
  const draft: Draft = { random, prelude: [] }
  const line = lineOf(draft, 3)
  return [...draft.prelude, line].join(random.pick(['; ', '\n', ' && ']))
}

function lineOf(draft: Draft, depth: number): string {
  const { random } = draft
  if (depth === 0) return commandOf(draft)
  const commands: Commands = {
    random,
    reading: () => random.pick(['ls', 'pwd', 'cat README.md', 'echo a', 'git status', 'wc -l']),
    writing: () => writingCommand(draft),
  }
  const fillers: Readonly<Record<string, () => string>> = {
    R: () => (random.below(4) === 0 ? lineOf(draft, depth - 2 < 0 ? 0 : depth - 2) : commandOf(draft)),
    L: () => lineOf(draft, depth - 1),
    W: () => writingCommand(draft),
    F: () => keptFile(draft),
    V: () => spelled(draft, anyFile(draft)),
    E: () => expansionOf(commands, 1 + random.below(3)),
    P: () => printfArguments(commands),
    N: () => random.pick(VARIABLES),
    Q: () => shellQuoted(random.below(2) === 0 ? writingCommand(draft) : lineOf(draft, depth - 1)),
  }
  return random
    .pick(random.below(3) === 0 ? EXPANDING_SHAPES : SHAPES)
    .replace(/%([RLWFVEPNQ])/g, (_, letter: string) => fillers[letter]?.() ?? '')
}

function commandOf(draft: Draft): string {
  const { random } = draft
  const isGit = random.below(3) === 0
  const row = random.pick(isGit ? GIT_ROWS : PROGRAM_ROWS)
  const words = argumentsOf(draft, row).map(it => spelled(draft, it))
  const command = [...(isGit ? ['git', ...gitWords(random)] : []), row.name, ...words].join(' ')
  return random.below(60) === 0 ? `${keptFile(draft)} ${command}` : command
}

function gitWords(random: Random): readonly string[] {
  if (random.below(8) > 0) return []
  return random.pick([
    ...[
      ['--no-pager'],
      ['-P'],
      ['-p'],
      ['-C', 'src'],
      ['-c', 'color.ui=never'],
      ['--no-optional-locks'],
      ['--paginate'],
    ],
    ...[
      ['-c', "'alias.x=!touch lib/evil'", 'x'],
      ['-c', 'core.pager=cat'],
      ['--git-dir=.git'],
      ['-c', "diff.external='touch evil'"],
    ],
  ])
}

function argumentsOf(draft: Draft, { options, operands }: ProgramRow): string[] {
  const { random } = draft
  const chosen = someOf(random, options).flat()
  const own = someOf(random, operands)
  const files = Array.from({ length: random.pick([0, 1, 1, 1, 2]) }, () => anyFile(draft))
  const words = random.below(6) === 0 ? [...own, ...files, ...chosen] : [...chosen, ...own, ...files]
  return words.map(it => filled(draft, it))
}

function someOf<T>(random: Random, items: readonly T[]): T[] {
  return Array.from({ length: items.length === 0 ? 0 : random.below(3) }, () => random.pick(items))
}

function filled(draft: Draft, text: string): string {
  return text
    .replaceAll('{SED}', () => soupOf(draft, SED_PIECES))
    .replaceAll('{AWK}', () => soupOf(draft, AWK_PIECES))
    .replaceAll('{F}', () => keptFile(draft))
    .replaceAll('{W}', () => writingCommand(draft))
}

/** A script of some pieces, most of which make no sense together. */
function soupOf({ random }: Draft, pieces: readonly string[]): string {
  return Array.from({ length: 2 + random.below(8) }, () => random.pick(pieces)).join('')
}

function writingCommand(draft: Draft): string {
  const file = keptFile(draft)
  return draft.random.pick([
    ...[`touch ${file}`, `rm -f ${file}`, `echo x > ${file}`, `echo x >> ${file}`, `cp README.md ${file}`],
    ...[`sed -i 1d lib/tax.ts`, `tee ${file}`, `git tag evil`, `mv README.md ${file}`, `: > ${file}`, `dd of=${file}`],
  ])
}
