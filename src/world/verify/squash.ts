import type { Commit } from '../../core/git/trailers/commits.ts'
import { type SquashedCommit, squashObject } from '../../core/git/trailers/squash-message.ts'
import { autoMerge } from '../../core/git/merges.ts'
import type { GitQuery } from '../../core/git/query.ts'
import { isAncestor } from '../../core/git/revisions.ts'
import type { CommitFinding } from '../../core/report/verification.ts'
import { squashRefused } from '../../core/rules/range-rules.ts'
import { isPolicyFile } from '../../core/base/governance-files.ts'
import { policyLookup } from '../commits/base-policy.ts'
import { writeCommit } from '../io/git/write-commit.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'
import type { VerifyRange } from './range.ts'

/** A range, its judged commits, and what is known to be wrong once it has landed. */
type BranchToSquash = {
  readonly range: VerifyRange
  readonly commits: readonly Commit[]
  readonly known: readonly CommitFinding[]
}

/** Judges another range in the same way. */
type JudgeAgain = (range: VerifyRange) => Promise<readonly CommitFinding[]>

/**
 * What would be refused once a forge has squashed a range onto its target, though no commit of it is: the squash is
 * made, in a folder that goes again, and judged like any commit on that branch.
 */
export async function squashFindings(
  workspace: ScratchWorkspace,
  { range, commits, known }: BranchToSquash,
  judgeAgain: JudgeAgain,
): Promise<CommitFinding[]> {
  const { target, to } = range
  const isSquashed =
    commits.length > 1 && commits.length <= COMMITS_MAX && !(await isOneWork(workspace, range, commits))
  if (!isSquashed || target === null || !(await isToBeMerged(workspace, range))) return []
  const tree = await treeOfMerge(workspace, target, to)
  // A person settles the conflict first, and the branch is judged again then.
  if (tree === null) return []
  const messages = await workspace.git.ask(messagesOf(commits.map(it => it.oid)))
  const squash = await writeCommit(workspace.git, Buffer.from(squashObject(tree, target, messages)))
  const found = await judgeAgain({ ...range, from: target, base: target, to: squash, without: [target], target: null })
  const isNew = ({ rule, level }: CommitFinding) => level === 'block' && !known.some(it => it.rule === rule)
  return found.filter(isNew).map(it => ({ ...squashRefused(it, target), commit: null, subject: null }))
}

// Of work for one intent, by the policy that the target has, the squash is what its commits are.
async function isOneWork({ git, blobs }: ScratchWorkspace, { target, to }: VerifyRange, commits: readonly Commit[]) {
  const [first = ''] = commits[0]?.cited ?? []
  const isWork = ({ cited, governance, changes }: Commit) =>
    cited.length === 1 && cited[0] === first && governance === null && !changes.some(it => isPolicyFile(it.path))
  if (target === null || !commits.every(isWork) || !(await git.tryAsk(isAncestor(target, to)))) return false
  const intent = (await policyLookup(blobs)(target))?.intents.find(it => it.id === first)
  return intent !== undefined && !intent.chores
}

// Longer branches are merged.
const COMMITS_MAX = 1000

// A push to the default branch, and what that has, is not squashed any more.
async function isToBeMerged({ git }: ScratchWorkspace, { to, movedFrom, replaces }: VerifyRange): Promise<boolean> {
  if (movedFrom !== null || replaces?.kind === 'default-branch') return false
  return (await git.ask(trunksWith(to))).length === 0
}

/** The default branches, here or of remotes, that have a commit. */
function trunksWith(commit: string): GitQuery<string[]> {
  const names = ['main', 'master'].flatMap(it => [`refs/heads/${it}`, `refs/remotes/*/${it}`])
  return {
    args: ['for-each-ref', '--format=%(refname)', `--contains=${commit}`, ...names, 'refs/remotes/*/HEAD'],
    parse: out => out.split('\n').slice(0, -1),
  }
}

async function treeOfMerge({ git }: ScratchWorkspace, target: string, to: string): Promise<string | null> {
  if (await git.tryAsk(isAncestor(target, to))) return git.ask(treeOf(to))
  const merge = await git.tryAsk(autoMerge(target, to))
  return merge && merge.conflicted.length === 0 ? merge.tree : null
}

function treeOf(commit: string): GitQuery<string> {
  return { args: ['rev-parse', '--verify', `${commit}^{tree}`], parse: out => out.trim() }
}

function messagesOf(oids: readonly string[]): GitQuery<SquashedCommit[]> {
  const fields = ['%an', '%ae', '%s', '%b']
  return {
    args: ['log', '--no-walk=unsorted', '-z', `--format=${fields.join('%x00')}`, '--encoding=UTF-8', ...oids, '--'],
    parse(out) {
      const tokens = out.split('\0')
      const commits: SquashedCommit[] = []
      for (let n = 0; n + fields.length <= tokens.length; n += fields.length) {
        const [name = '', email = '', subject = '', body = ''] = tokens.slice(n, n + fields.length)
        commits.push({ name, email, subject, body })
      }
      return commits
    },
  }
}
