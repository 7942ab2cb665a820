import { ADOPT_COMMAND } from '../../../core/rules/hints.ts'
import { join, relative } from 'node:path'
import { GitIndex, LIST_INDEX } from '../../../core/git/index-entries.ts'
import type { GitQuery } from '../../../core/git/query.ts'
import { unwatchedByGit } from '../../recording/observation/flagged-files.ts'
import { REGISTRY_PATH } from '../../../core/base/governance-files.ts'
import { readHookFile } from '../hook-file.ts'
import { printable, shellQuoted } from '../../../core/base/printable.ts'
import { textsAtHead } from '../../io/worktree/head.ts'
import { openWorkspace, type Workspace } from '../../io/worktree/workspace.ts'
import type { DoctorNote } from './doctor-problem.ts'
import { commandIn, listNames } from './check-hooks.ts'
import { hasInstalledScripts, isBlockFirst } from './check-versions.ts'
import { blockOrigin } from '../hooks/hook-block.ts'
import type { WorktreeProbe } from './probe-hooks.ts'
import { isWithin } from '../../io/files/real-path.ts'

/** What can no hook of this clone stop, and what may surprise a person? None of it is an error. */
export async function coverageNotes(workspace: Workspace, probes: readonly WorktreeProbe[]): Promise<DoctorNote[]> {
  const here = probes.find(it => it.worktree.root === workspace.root)
  return [
    ...(await adoptionNotes(workspace)),
    ...(here ? await branchNotes(here) : []),
    ...(await submoduleNotes(workspace)),
    ...(await flagNotes(workspace)),
    ...probes.flatMap(it => repeatedCallNotes(it)),
    ...(await Promise.all(probes.map(it => hookOrderNotes(it)))).flat(),
    BYPASS_NOTE,
  ]
}

const BYPASS_NOTE: DoctorNote = {
  message:
    'no hook can stop commits that skip it, by the merge button of a forge or by plumbing commands: ' +
    'they are judged once they are in this clone, and the broken rules are recorded',
  hint: 'See it: `kotef trace`',
}

async function adoptionNotes(workspace: Workspace): Promise<DoctorNote[]> {
  const [registry] = await textsAtHead(workspace, [REGISTRY_PATH])
  if (registry !== null && registry !== undefined) return []
  const hint = `Adopt it: \`${ADOPT_COMMAND}\``
  return [
    {
      message: `HEAD has no ${REGISTRY_PATH}: uncommitted governance files do not apply in other worktrees or clones`,
      hint,
    },
  ]
}

async function submoduleNotes({ root, git }: Workspace): Promise<DoctorNote[]> {
  const notes: DoctorNote[] = []
  for (const path of await git.ask(submodules)) {
    const folder = join(root, path)
    const inner = await openWorkspace(folder).catch(() => null)
    // In a submodule that is not checked out, git finds this repository.
    if (inner?.root !== folder || (await hasInstalledScripts(inner))) continue
    const message = `the submodule ${printable(path)} is a repository of its own, and kotef is not set up in it`
    notes.push({ message, hint: `Govern it as well: \`${commandIn(folder, 'kotef init')}\`` })
  }
  return notes
}

/** The files that git does not look at: kotef does. */
async function flagNotes(workspace: Workspace): Promise<DoctorNote[]> {
  const index = new GitIndex(await workspace.git.bytes(LIST_INDEX))
  const paths = await unwatchedByGit(workspace, { index })
  const [first] = paths
  if (first === undefined) return []
  const flag = index.flagOf(first) ?? ''
  const more = paths.length > 1 ? ` and ${paths.length - 1} more` : ''
  const undo = commandIn(workspace.root, `git update-index --no-${flag} -- ${shellQuoted(first)}`)
  const message = `git does not show what is written to ${printable(first)} (${flag})${more}`
  return [{ message, hint: `Let git look at it again: \`${undo}\`` }]
}

const submodules: GitQuery<string[]> = {
  args: ['ls-files', '--stage', '-z'],
  parse: out => {
    const entries = out.split('\0').filter(it => it.startsWith('160000 '))
    return [...new Set(entries.map(it => it.slice(it.indexOf('\t') + 1)))]
  },
}

function repeatedCallNotes({ worktree: { root }, hooks }: WorktreeProbe): DoctorNote[] {
  const twice = hooks.filter(it => it.times > 1).map(it => it.hook)
  if (twice.length === 0) return []
  const message = `in ${root}, git calls kotef more than once for ${listNames(twice)}, by its config and by files`
  return [{ message: `${message}: this is harmless, but slower`, hint: null }]
}

async function hookOrderNotes({ worktree, hooks }: WorktreeProbe): Promise<DoctorNote[]> {
  const texts = await Promise.all(hooks.map(async it => (await readHookFile(it.script))?.text ?? ''))
  const late = hooks.filter(
    (it, n) => it.times > 0 && blockOrigin(texts[n] ?? '') !== null && !isBlockFirst(texts[n] ?? ''),
  )
  return late.map(({ script }) => ({
    message: `in ${script}, your own lines come before kotef's, so they also run for a commit that kotef stops`,
    hint: `Move kotef's lines first: \`${commandIn(worktree.root, 'kotef init')}\``,
  }))
}

/** Which branches have no hook files, in a repository that tracks them? On such a branch git runs no hook of kotef. */
async function branchNotes({ worktree, hooks, isConfigured }: WorktreeProbe): Promise<DoctorNote[]> {
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
