import { basename } from 'node:path/posix'
import type { Target } from '../../agents/tool-targets.ts'
import { type Effect, opaqueEffects } from './effect.ts'
import { type Arg, parseArguments } from './arguments.ts'
import { writeEffectsTo } from './write-programs.ts'

/** The git commands that name the files they change; the effects are null when the files are only known at run time. */
export const WORKTREE_COMMANDS: ReadonlyMap<string, (rest: readonly Arg[]) => Effect[] | null> = new Map([
  [
    'rm',
    rest => {
      const words = parseArguments(rest, 'rfnq --cached --force --quiet --ignore-unmatch')
      return words && pathspecEffects(words.operands, WHOLE_TREE)
    },
  ],
  [
    'mv',
    rest => {
      const words = parseArguments(rest, 'fkvn --force --verbose')
      return words && moveOperandEffects(words.operands)
    },
  ],
  [
    'restore',
    rest => {
      const words = parseArguments(rest, 'SWqs: --staged --worktree --source=')
      const paths = words && pathspecEffects(words.operands, WHOLE_TREE)
      const hasSource = words?.options.some(([name]) => name === 's' || name === 'source')
      return paths && [...paths, ...(hasSource ? COMMIT_CONTENT_EFFECTS : [])]
    },
  ],
  ['checkout', checkoutEffects],
  [
    'clean',
    rest => {
      const words = parseArguments(rest, 'fdxXqne: --force --dry-run --quiet --exclude=')
      if (words?.options.some(([name]) => name === 'n' || name === 'dry-run')) return []
      return words && words.operands.length > 0 ? pathspecEffects(words.operands, WHOLE_TREE) : null
    },
  ],
])

const WHOLE_TREE = { tree: true }

/** Operands after `--`, or after the first operand, are paths to overwrite. A single operand may be a branch. */
function checkoutEffects(rest: readonly Arg[]): Effect[] | null {
  const at = rest.findIndex(it => it.text === '--')
  const words = parseArguments(at === -1 ? rest : rest.slice(0, at), CHECKOUT_FORM)
  const operands = words?.operands.slice(at === -1 ? 0 : 1) ?? null
  if (!words || !operands) return null
  if (at !== -1) {
    const after = operands.length > 0 || at === rest.length - 1 ? null : pathspecEffects(rest.slice(at + 1), WHOLE_TREE)
    return after && [...after, ...(words.operands.length > 0 ? COMMIT_CONTENT_EFFECTS : [])]
  }
  const [first, ...others] = operands
  const paths = pathspecEffects(others, WHOLE_TREE)
  const isPath = first?.text !== null && /\w[./]\w/.test(first?.text ?? '')
  const maybe = first && isPath ? pathspecEffects([first], { ...WHOLE_TREE, maybe: true }) : []
  // It may also switch to another branch.
  return paths && maybe && [...maybe, ...paths, ...COMMIT_CONTENT_EFFECTS]
}

// The commit may have files in a folder that do not exist in the worktree now.
const COMMIT_CONTENT_EFFECTS = opaqueEffects('git may write any file of a commit')

const CHECKOUT_FORM = 'fq --force --quiet --ours --theirs'

function moveOperandEffects(operands: readonly Arg[]): Effect[] | null {
  const sources = pathspecEffects(operands.slice(0, -1), WHOLE_TREE)
  return (
    sources && [
      ...sources,
      ...writeEffectsTo(operands.slice(-1), { into: operands.slice(0, -1).map(it => basename(it.text ?? '')) }),
    ]
  )
}

// A pathspec with magic or a glob does not name one file.
function pathspecEffects(args: readonly Arg[], more: Omit<Target, 'path'>): Effect[] | null {
  return args.every(it => it.text !== null && !/[*?[\\]|^:/.test(it.text)) ? writeEffectsTo(args, more) : null
}
