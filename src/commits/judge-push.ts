import { commitsIn } from '../trailers/commits.ts'
import type { Finding } from '../findings/finding.ts'
import { escapeInvisible } from '../text/printable.ts'
import { rewriteHint } from '../rules/hints.ts'
import { type JudgedCommit, judgeCommits } from './judge-commits.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** A push as git describes it to its hook: the remote's name (or its URL again), and a line for each reference. */
export type Push = { readonly remote: string; readonly url: string; readonly lines: string }

/** Judges the commits of a push that neither the remote's references nor their old values reach. */
export async function judgePush(workspace: Workspace, { remote, url, lines }: Push): Promise<Finding[]> {
  const updates = lines.split('\n').flatMap(parsePushedRef)
  if (updates.length === 0) return []
  const tips = [...new Set(updates.map(it => it.local))]
  const tracked = remote === url ? [] : [`--remotes=${remote}`]
  const remoteOids = updates.flatMap(it => (it.remote === null ? [] : [it.remote]))
  // `--ignore-missing`: this clone may lack commits of the remote.
  const revisions = [...tips, '--ignore-missing', '--not', ...remoteOids, ...tracked]
  const commits = await workspace.git.ask(commitsIn(revisions, { countMax: null }))
  const judged = await judgeCommits(workspace, commits, { rewrites: new Map() })
  return judged.flatMap(it => it.findings.map(finding => withCommitName(finding, it)))
}

type PushedRef = { readonly local: string; readonly remote: string | null }

// A deleted reference brings no commits; a new one has no old value.
function parsePushedRef(line: string): PushedRef[] {
  const [, local = '', , remote = ''] = line.split(' ')
  return ZERO_OID.test(local) ? [] : [{ local, remote: ZERO_OID.test(remote) ? null : remote }]
}

const ZERO_OID = /^0*$/

// Of several commits, each finding names its own, and hints at a rewrite instead of the index.
function withCommitName(finding: Finding, { commit }: JudgedCommit): Finding {
  const name = `${commit.oid.slice(0, 10)} ${escapeInvisible(commit.subject)}`
  return { ...finding, message: `${name}: ${finding.message}`, hint: rewriteHint(commit) }
}
