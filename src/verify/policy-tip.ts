import { isUtf8 } from 'node:buffer'
import { escapeInvisible } from '../text/printable.ts'
import { INTENTS_FOLDER, POLICY_FILES, REGISTRY_PATH } from '../paths/governance-files.ts'
import { readRegistryText } from '../worktree/head.ts'
import { policyFlaw, policyFlawFinding } from '../rules/policy-flaw.ts'
import type { GitQuery } from '../git/query.ts'
import type { CommitFinding } from '../report/verification.ts'
import type { ScratchWorkspace } from './judge-range.ts'

/** The findings of policy files that nobody could read at a commit, each with the commit that left it so. */
export async function unreadablePolicy(workspace: ScratchWorkspace, tip: string): Promise<CommitFinding[]> {
  const findings: CommitFinding[] = []
  for (const path of POLICY_FILES) {
    const flaw = await flawAt(workspace, tip, path)
    if (flaw === null) continue
    const since = await damagedSince(workspace, tip, path)
    const name = since && `${since.oid.slice(0, 10)} ${escapeInvisible(since.subject)}`
    findings.push({
      ...policyFlawFinding(path, flaw, name),
      commit: since?.oid ?? null,
      subject: since?.subject ?? null,
    })
  }
  return findings
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
