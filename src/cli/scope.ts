import { printable } from '../report/printable.ts'
import type { Policy, Verdict } from '../scope/policy.ts'
import { type Claim, whoOwns } from '../scope/who-owns.ts'
import { loadPolicy } from '../workspace/policy.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { fileNamed, repositoryPath } from './repository-path.ts'
import type { Run } from './verb.ts'

type PathAnswer = { readonly path: string; readonly owners: readonly string[]; readonly claims: readonly Claim[] }

/** `kotef scope`: who owns a path and by which glob, or why nobody does. */
export const run: Run = async ({ cwd, args }) => {
  const workspace = await openWorkspace(cwd)
  const policy = await loadPolicy(workspace)
  const given = Array.isArray(args[0]) ? args[0].map(String) : []
  const paths = await Promise.all(given.map(async it => repositoryPath(workspace.root, await fileNamed(cwd, it))))
  // The top itself and anything beside it come out as they are, and are then refused by name.
  const answers = paths.map(path => answerFor(policy, path))
  return { text: answers.flatMap(linesOf).join('\n'), json: { paths: answers } }
}

function answerFor(policy: Policy, path: string): PathAnswer {
  const claims = whoOwns(policy, path)
  return { path, owners: claims.filter(it => it.verdict.kind === 'owned').map(it => it.id), claims }
}

function linesOf({ path, claims }: PathAnswer): string[] {
  const own = claims.filter(it => it.verdict.kind === 'owned' || it.verdict.kind === 'excluded')
  const shared = claims.map(it => it.verdict).find(it => it.kind !== 'outside')
  if (own.length > 0) return [printable(path), ...own.map(it => `  ${it.id}  ${it.status}  ${reasonOf(it.verdict)}`)]
  return [printable(path), `  nobody: ${shared ? reasonOf(shared) : 'it is outside every intent'}`]
}

function reasonOf(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'owned':
      return `owns it by ${verdict.by}`
    case 'excluded':
      return `excludes it by ${verdict.by}`
    case 'governance':
      return `the governance plane (${verdict.by}) changes in commits of its own`
    case 'forbidden':
      return `forbidden to everybody by ${verdict.by} in .sdd/KOTEF.md`
    case 'ignored':
      return `forbidden to everybody by ${verdict.by} in .intentignore`
    case 'malformed':
      return `no scope can name it, because ${verdict.why}`
    case 'outside':
      return 'it is outside every intent'
  }
}
