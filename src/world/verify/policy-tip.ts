import { isUtf8 } from 'node:buffer'
import { escapeInvisible } from '../../core/base/printable.ts'
import {
  INTENTS_FOLDER,
  POLICY_ENTRIES,
  POLICY_FILES,
  PROJECT_POLICY_PATH,
  REGISTRY_PATH,
} from '../../core/base/governance-files.ts'
import { readRegistryText } from '../io/worktree/head.ts'
import {
  policyFlaw,
  policyFlawFinding,
  removedRegistryFinding,
  unreadLinesFinding,
} from '../../core/rules/policy-flaw.ts'
import type { GitQuery } from '../../core/git/query.ts'
import type { CommitFinding } from '../../core/report/verification.ts'
import type { Finding } from '../../core/base/finding.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'
import type { VerifyRange } from './range.ts'

/** The findings of policy files that nobody could read at the end of a range, each with the commit that left it so. */
export async function unreadablePolicy(
  workspace: ScratchWorkspace,
  { base, to: tip }: Pick<VerifyRange, 'base' | 'to'>,
): Promise<CommitFinding[]> {
  const findings: CommitFinding[] = []
  for (const path of POLICY_FILES) {
    const flaw = await flawAt(workspace, tip, path)
    if (flaw === null) continue
    const since = await damagedSince(workspace, tip, path)
    findings.push(withCommit(policyFlawFinding(path, flaw, nameOf(since)), since))
  }
  const policy = await workspace.blobs.read(`${tip}:${PROJECT_POLICY_PATH}`)
  const unread = policy && unreadLinesFinding(PROJECT_POLICY_PATH, policy.toString('utf8'))
  if (unread) findings.push(withCommit(unread, null))
  return base === null ? findings : [...findings, ...(await removedRegistry(workspace, base, tip))]
}

// A range without a registry at its start removes none.
async function removedRegistry(
  { git, blobs }: ScratchWorkspace,
  base: string,
  tip: string,
): Promise<readonly CommitFinding[]> {
  const registryAt = (commit: string) => blobs.read(`${commit}:${REGISTRY_PATH}`)
  if ((await registryAt(tip)) !== null || (await registryAt(base)) === null) return []
  const [since = null] = (await git.tryAsk(changesOfFile(tip, REGISTRY_PATH))) ?? []
  const found = removedRegistryFinding(await git.ask(policyPathsAt(tip)), nameOf(since))
  return found === null ? [] : [withCommit(found, since)]
}

/** The paths at a commit of the policy files, and of what lies in their place. */
export function policyPathsAt(commit: string): GitQuery<string[]> {
  return {
    args: ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit, '--', ...POLICY_ENTRIES],
    parse: out => out.split('\0').slice(0, -1),
  }
}

function nameOf(commit: ChangingCommit | null): string | null {
  return commit && `${commit.oid.slice(0, 10)} ${escapeInvisible(commit.subject)}`
}

function withCommit(finding: Finding, commit: ChangingCommit | null): CommitFinding {
  return { ...finding, commit: commit?.oid ?? null, subject: commit?.subject ?? null }
}

async function flawAt({ blobs }: ScratchWorkspace, commit: string, path: string): Promise<string | null> {
  if (path === REGISTRY_PATH) return registryFlaw(await readRegistryText(blobs, commit))
  const bytes = await blobs.read(`${commit}:${path}`)
  if (bytes && !isUtf8(bytes)) return 'is not UTF-8 text'
  return bytes && policyFlaw(path, bytes.toString('utf8'))
}

function registryFlaw(text: string | null): string | null {
  return text === null ? null : policyFlaw(REGISTRY_PATH, text)
}

type ChangingCommit = { readonly oid: string; readonly subject: string }

async function damagedSince(workspace: ScratchWorkspace, tip: string, path: string): Promise<ChangingCommit | null> {
  let since: ChangingCommit | null = null
  for (const commit of (await workspace.git.tryAsk(changesOfFile(tip, path))) ?? []) {
    if ((await flawAt(workspace, commit.oid, path)) === null) break
    since = commit
  }
  return since
}

/** The newest commits that changed a file, newest first; of a merge only one that differs from every parent. */
function changesOfFile(tip: string, path: string): GitQuery<ChangingCommit[]> {
  return {
    args: [
      'log',
      '--max-count=50',
      '-z',
      '--format=%H %s',
      tip,
      '--',
      path,
      ...(path === REGISTRY_PATH ? [INTENTS_FOLDER] : []),
    ],
    parse: out =>
      out
        .split('\0')
        .filter(it => it !== '')
        .map(it => ({ oid: it.slice(0, it.indexOf(' ')), subject: it.slice(it.indexOf(' ') + 1) })),
  }
}
