import { basename } from 'node:path/posix'
import type { Target } from '../target.ts'
import { type Deed, opaque, writes } from './deed.ts'
import { given } from './options.ts'
import type { Arg } from './word.ts'
import { writesTo } from './writers.ts'

/** The commands of git that name what they change in the worktree; null where that shows only when they run. */
export const TREE: ReadonlyMap<string, (rest: readonly Arg[]) => Deed[] | null> = new Map([
  [
    'rm',
    rest => {
      const words = given(rest, { flags: 'rfnq', long: ['cached', 'force', 'quiet', 'ignore-unmatch'] })
      return words && pathspecs(words.operands, TREES)
    },
  ],
  [
    'mv',
    rest => {
      const words = given(rest, { flags: 'fkvn', long: ['force', 'verbose'] })
      return words && renamed(words.operands)
    },
  ],
  [
    'restore',
    rest => {
      const words = given(rest, { flags: 'SWq', values: 's', long: ['staged', 'worktree'], longValues: ['source'] })
      return words && pathspecs(words.operands, TREES)
    },
  ],
  [
    'checkout',
    rest => {
      const at = rest.findIndex(it => it.text === '--')
      return at === -1 ? checkedOut(rest) : pathspecs(rest.slice(at + 1), TREES)
    },
  ],
  [
    'clean',
    rest => {
      const words = given(rest, { flags: 'fdxXqn', values: 'e', long: CLEANING, longValues: ['exclude'] })
      if (words?.options.some(([name]) => name === 'n' || name === 'dry-run')) return []
      return words && (words.operands.length === 0 ? writes(['.'], { tree: true }) : pathspecs(words.operands, TREES))
    },
  ],
])

const TREES = { tree: true }
const CLEANING = ['force', 'dry-run', 'quiet']

/** One word may be a branch, and the first of several a commit; the others are paths whose changes go. */
function checkedOut(rest: readonly Arg[]): Deed[] | null {
  const words = given(rest, { flags: 'fq', long: ['force', 'quiet', 'ours', 'theirs'] })
  const [first, ...others] = words?.operands ?? []
  const paths = pathspecs(others, TREES)
  const maybe = first && pathspecs([first], { ...TREES, maybe: true })
  if (!paths || !maybe) return null
  return others.length > 0 ? [...maybe, ...paths] : [...maybe, ...opaque('git checkout may switch to another branch')]
}

function renamed(operands: readonly Arg[]): Deed[] | null {
  const sources = pathspecs(operands.slice(0, -1), TREES)
  return (
    sources && [
      ...sources,
      ...writesTo(operands.slice(-1), { into: operands.slice(0, -1).map(it => basename(it.text ?? '')) }),
    ]
  )
}

// A pathspec with magic, or a glob of git's own, is no path.
function pathspecs(args: readonly Arg[], more: Omit<Target, 'path'>): Deed[] | null {
  return args.every(it => it.text !== null && !/[*?[\\]|^:/.test(it.text)) ? writesTo(args, more) : null
}
