import { basename } from 'node:path/posix'
import type { Target } from '../../tool-targets.ts'
import { type Effect, opaqueEffects } from './effect.ts'
import { type Arg, hasOption, type OptionForm, type ParsedArguments, parseArguments } from './arguments.ts'
import { fileArg, writeEffectsTo } from './write-programs.ts'

type WorktreeCommand = (rest: readonly Arg[]) => Effect[] | null

/** A command whose arguments are parsed by a form. */
function parsed(form: OptionForm, effectsOf: (words: ParsedArguments) => Effect[] | null): WorktreeCommand {
  return rest => {
    const words = parseArguments(rest, form)
    return words && effectsOf(words)
  }
}

/** The git commands that name the files they change; the effects are null when the files are only known at run time. */
export const WORKTREE_COMMANDS: ReadonlyMap<string, WorktreeCommand> = new Map([
  ['rm', parsed('rfnq --cached --force --quiet --ignore-unmatch', removeEffects)],
  ['reset', resetEffects],
  ['mv', parsed('fkvn --force --verbose', moveEffects)],
  ['restore', parsed('SWqs: --staged --worktree --source=', restoreEffects)],
  ['checkout', checkoutEffects],
  ['clone', parsed('qb:o: --quiet --branch= --depth= --single-branch --bare --no-checkout --origin=', cloneEffects)],
  ['init', parsed('qb: --quiet --bare --initial-branch=', ({ operands }) => repositoryEffects(operands[0]))],
  ['clean', parsed('fdxXqne: --force --dry-run --quiet --exclude=', cleanEffects)],
])

// The index is not a file of the worktree; the git hooks judge what a commit takes from it.
const INDEX_EFFECTS: Effect[] = [{ kind: 'record' }]

function removeEffects(words: ParsedArguments): Effect[] | null {
  return hasOption(words, 'cached') ? INDEX_EFFECTS : treeEffects(words.operands, { removes: true })
}

/** A reset of paths, or of all of the index to HEAD. Any other operand may be a commit, to which the branch moves. */
function resetEffects(rest: readonly Arg[]): Effect[] | null {
  const at = rest.findIndex(it => it.text === '--')
  const words = parseArguments(
    at === -1 ? rest : rest.slice(0, at),
    'qN --quiet --mixed --intent-to-add --refresh --no-refresh',
  )
  if (!words) return null
  const { operands } = words
  const isOfIndex = at !== -1 && at < rest.length - 1 ? operands.length < 2 : operands.length !== 1
  return isOfIndex || operands.every(it => it.text === 'HEAD') ? INDEX_EFFECTS : null
}

function restoreEffects(words: ParsedArguments): Effect[] | null {
  if (hasOption(words, 'S', 'staged') && !hasOption(words, 'W', 'worktree')) return INDEX_EFFECTS
  const paths = treeEffects(words.operands)
  return paths && [...paths, ...(hasOption(words, 's', 'source') ? COMMIT_CONTENT_EFFECTS : [])]
}

function cleanEffects(words: ParsedArguments): Effect[] | null {
  if (hasOption(words, 'n', 'dry-run')) return []
  return words.operands.length > 0 ? treeEffects(words.operands) : null
}

/** Operands after `--`, or after the first operand, are paths to overwrite. A single operand may be a branch. */
function checkoutEffects(rest: readonly Arg[]): Effect[] | null {
  const at = rest.findIndex(it => it.text === '--')
  const words = parseArguments(at === -1 ? rest : rest.slice(0, at), CHECKOUT_FORM)
  const operands = words?.operands.slice(at === -1 ? 0 : 1) ?? null
  if (!words || !operands) return null
  if (at !== -1) {
    const after = operands.length > 0 || at === rest.length - 1 ? null : treeEffects(rest.slice(at + 1))
    return after && [...after, ...(words.operands.length > 0 ? COMMIT_CONTENT_EFFECTS : [])]
  }
  const [first, ...others] = operands
  const paths = treeEffects(others)
  // `-`, `HEAD~1`, `@{u}` and `HEAD:a` are not paths, and `.` is every path.
  const isPath = first?.text !== null && /^(?!\.{1,2}\/?$)[^-~^@:][^~^@:]*$/.test(first?.text ?? '')
  const maybe = first && isPath ? treeEffects([first], { maybe: true, orReference: true }) : []
  // It may also switch to another branch.
  return paths && maybe && [...maybe, ...paths, ...COMMIT_CONTENT_EFFECTS]
}

// The commit may have files in a folder that do not exist in the worktree now.
const COMMIT_CONTENT_EFFECTS = opaqueEffects('git may write any file of a commit')

const CHECKOUT_FORM = 'fq --force --quiet --ours --theirs'

function moveEffects({ operands }: ParsedArguments): Effect[] | null {
  const sources = operands.slice(0, -1)
  const removed = treeEffects(sources, { removes: true })
  const into = sources.map(it => basename(it.text ?? ''))
  const moved = operands.slice(-1).map((it): Effect => ({ kind: 'moved', path: it.text ?? '' }))
  return removed && [...removed, ...writeEffectsTo(operands.slice(-1), { into }), ...moved]
}

// A pathspec with magic or a glob does not name one file.
function treeEffects(paths: readonly Arg[], more: Omit<Target, 'path'> = {}): Effect[] | null {
  const isKnown = paths.every(it => it.text !== null && !/[*?[\\]|^:/.test(it.text))
  return isKnown ? writeEffectsTo(paths, { tree: true, ...more }) : null
}

function cloneEffects({ operands: [from, to] }: ParsedArguments): Effect[] | null {
  return repositoryEffects(to ?? (from?.text ? fileArg(basename(from.text, '.git')) : from))
}

// What is written in another repository is not watched.
function repositoryEffects(folder: Arg = fileArg('.')): Effect[] {
  return [...writeEffectsTo([folder], { tree: true }), ...opaqueEffects('it makes a repository')]
}
