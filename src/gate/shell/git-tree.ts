import { basename } from 'node:path/posix'
import type { Target } from '../target.ts'
import { type Deed, opaque } from './deed.ts'
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
      const paths = words && pathspecs(words.operands, TREES)
      const isBrought = words?.options.some(([name]) => name === 's' || name === 'source')
      return paths && [...paths, ...(isBrought ? BROUGHT : [])]
    },
  ],
  ['checkout', checkedOut],
  [
    'clean',
    rest => {
      const words = given(rest, { flags: 'fdxXqn', values: 'e', long: CLEANING, longValues: ['exclude'] })
      if (words?.options.some(([name]) => name === 'n' || name === 'dry-run')) return []
      return words && words.operands.length > 0 ? pathspecs(words.operands, TREES) : null
    },
  ],
])

const TREES = { tree: true }
const CLEANING = ['force', 'dry-run', 'quiet']

/** After `--` stand paths whose changes go, and after the first of several words. One word may be a branch. */
function checkedOut(rest: readonly Arg[]): Deed[] | null {
  const at = rest.findIndex(it => it.text === '--')
  const words = given(at === -1 ? rest : rest.slice(0, at), CHECKING_OUT)
  const named = words?.operands.slice(at === -1 ? 0 : 1) ?? null
  if (!words || !named) return null
  if (at !== -1) {
    const after = named.length > 0 || at === rest.length - 1 ? null : pathspecs(rest.slice(at + 1), TREES)
    return after && [...after, ...(words.operands.length > 0 ? BROUGHT : [])]
  }
  const [first, ...others] = named
  const paths = pathspecs(others, TREES)
  const isPath = first?.text !== null && /\w[./]\w/.test(first?.text ?? '')
  const maybe = first && isPath ? pathspecs([first], { ...TREES, maybe: true }) : []
  // It may switch to another branch as well.
  return paths && maybe && [...maybe, ...paths, ...BROUGHT]
}

// What a commit has in a folder need not stand there now.
const BROUGHT = opaque('git may write whatever a commit has')

const CHECKING_OUT = { flags: 'fq', long: ['force', 'quiet', 'ours', 'theirs'] }

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
