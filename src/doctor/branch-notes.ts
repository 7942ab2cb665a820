import { relative } from 'node:path'
import type { GitQuery } from '../git/query.ts'
import { isWithin } from '../io/files/real-path.ts'
import { printable, shellQuoted } from '../text/printable.ts'
import type { DoctorNote } from './doctor-problem.ts'
import type { WorktreeProbe } from './probe-hooks.ts'

/** Which branches have no hook files, in a repository that tracks them? On such a branch git runs no hook of kotef. */
export async function branchNotes({ worktree, hooks, isConfigured }: WorktreeProbe): Promise<DoctorNote[]> {
  const { root, commonDir, git } = worktree
  const scripts = hooks.filter(it => STOPPING_HOOKS.includes(it.hook)).map(it => it.script)
  if (isConfigured || !scripts.every(it => isWithin(root, it) && !isWithin(commonDir, it))) return []
  const branches = await git.ask(latestBranches)
  const paths = scripts.map(it => relative(root, it))
  const covered = branches.length === 0 ? [] : branchesWithAll(paths, await git.ask(filesWithOurLines(branches, paths)))
  const [first] = covered
  if (first === undefined) return [NOT_COMMITTED]
  const without = branches.filter(it => !covered.includes(it))
  return without.length === 0 ? [] : [missingHooksNote(without, first)]
}

const STOPPING_HOOKS = ['pre-commit', 'commit-msg']

const NOT_COMMITTED: DoctorNote = {
  message: 'the hook files are in the tree, and no branch has them yet: new worktrees and clones have no hooks',
  hint: 'Commit them with `Governance: <why>` in the message',
}

function missingHooksNote(without: readonly string[], from: string): DoctorNote {
  const shown = without.slice(0, SHOWN_MAX).map(it => printable(branchName(it)))
  const more = without.length > SHOWN_MAX ? [`… and ${without.length - SHOWN_MAX} more`] : []
  const merge = `git switch ${shellQuoted(branchName(without[0] ?? ''))} && git merge ${shellQuoted(branchName(from))}`
  const message = `the hook files are in the tree, and these branches have none, so nothing stops a commit there`
  return { message: `${message}: ${[...shown, ...more].join(', ')}`, hint: `Merge them: \`${merge}\`` }
}

const SHOWN_MAX = 5
// The branches with the latest commits: a person will hardly commit to an older one next.
const BRANCHES_MAX = 200

const latestBranches: GitQuery<string[]> = {
  args: ['for-each-ref', '--sort=-committerdate', `--count=${BRANCHES_MAX}`, '--format=%(refname)', 'refs/heads'],
  parse: out => out.split('\n').slice(0, -1),
}

function branchName(ref: string): string {
  return ref.replace('refs/heads/', '')
}

/** Searches all branches by one git process. Each answer is `ref:path`. */
function filesWithOurLines(refs: readonly string[], paths: readonly string[]): GitQuery<string[]> {
  const words = ['grep', '-z', '--no-color', '--no-recurse-submodules', '--files-with-matches', '-F', '-e', '>>> kotef']
  return {
    args: [...words, ...refs, '--', ...paths.map(it => `:(top,literal)${it}`)],
    parse: out => out.split('\0').slice(0, -1),
  }
}

function branchesWithAll(paths: readonly string[], found: readonly string[]): string[] {
  const refs = [...new Set(found.map(it => it.slice(0, it.indexOf(':'))))]
  return refs.filter(ref => paths.every(path => found.includes(`${ref}:${path}`)))
}
