import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LEDGER_PATH, POLICY_FILES } from '../../src/core/base/governance-files.ts'
import { sourceLinkName } from '../../src/core/intents/scope/compiled-policy.ts'
import { compilePolicy } from '../../src/world/intents/policy/compile-policy.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { runCli } from './command-line.ts'
import { copyRepo, type Repo, temporaryRepo } from './repo.ts'

const REGISTRY = `version: 1
active_intents:
  - { id: INT-001, name: work, status: IN_PROGRESS, owned_scope: ["src/**"] }
  - { id: INT-002, name: docs, status: IN_PROGRESS, owned_scope: ["docs/**"] }
  - { id: INT-003, name: next, status: PENDING, owned_scope: ["next/**"] }
  - { id: INT-004, name: done, status: COMPLETED, owned_scope: ["old/**"] }
  - { id: INT-005, name: gone, status: ABANDONED, owned_scope: ["old/**"] }
`

const FILES = { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n', 'docs/b.md': 'b\n', 'old/c': 'c\n', 'lib/x.ts': 'x\n' }

/** A repository whose git hooks are kotef's: adopted, five intents, a person's session on INT-001. */
export async function hookedRepo({ registry = REGISTRY, start = 'INT-001' as string | null } = {}): Promise<Repo> {
  const key = JSON.stringify({ registry, start })
  const model = templates.get(key) ?? makeTemplate(registry, start)
  templates.set(key, model)
  return copyGoverned(await model)
}

// Each kind of repository is made once a worker, and copied.
const templates = new Map<string, Promise<Repo>>()

async function makeTemplate(registry: string, start: string | null): Promise<Repo> {
  const repo = await temporaryRepo(FILES)
  await repo.write('.orchestration/active_intents.yaml', registry)
  await runInit(repo)
  await repo.git('add', '--all')
  await repo.git('commit', '--quiet', '-m', 'adopt kotef', '-m', 'Governance: adopt kotef')
  if (start !== null) await runCliOrThrow(repo, 'intent', 'start', start)
  return repo
}

/** Runs the installed `kotef init`; what it printed. */
export async function runInit(repo: Repo, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await repo.kotef('init', '--yes', ...words)
  if (code !== 0) throw new Error(`kotef init ended with ${code}:\n${stderr}`)
  return stdout
}

/**
 * A copy of a repository, in a folder of its own, compiled for its hooks. What is compiled is copied as well: only the
 * original is compiled, when it is copied for the first time.
 */
export async function copyGoverned(repo: Pick<Repo, 'root'>): Promise<Repo> {
  const known = compiledTemplates.get(repo) ?? compileRepo(repo)
  compiledTemplates.set(repo, known)
  const isOpen = await known
  const copy = copyRepo(repo)
  for (const [n, path] of POLICY_FILES.entries())
    relink(join(copy.root, path), join(copy.root, COMPILED, sourceLinkName(n)))
  relink(join(copy.root, LEDGER_PATH), join(copy.root, '.git/kotef/agent_trace.jsonl'))
  if (isOpen) replaceRootName(join(copy.root, COMPILED, 'active'), { instead: repo.root, root: copy.root })
  return copy
}

const compiledTemplates = new WeakMap<Pick<Repo, 'root'>, Promise<boolean>>()
const COMPILED = '.git/kotef/compiled'

// What is known by being one and the same file is two files in a copy.
function relink(path: string, link: string): void {
  if (!existsSync(link) || !existsSync(path)) return
  rmSync(link)
  linkSync(path, link)
}

// It is the newest file of all, as it is when it has just been compiled.
function replaceRootName(active: string, { instead, root }: { readonly instead: string; readonly root: string }): void {
  writeFileSync(active, readFileSync(active, 'utf8').replace(`\n# ${instead}\n`, `\n# ${root}\n`))
}

/** Compiles for the git hooks; true when the fast path is open. */
export async function compileRepo(repo: Pick<Repo, 'root'>): Promise<boolean> {
  return compilePolicy(await openWorkspace(repo.root))
}

/** Runs a command line in this process, which must succeed; what it answers. */
export async function runCliOrThrow(repo: Pick<Repo, 'root' | 'env'>, ...words: string[]): Promise<string> {
  const { failure, text } = await runCli(repo, ...words)
  if (failure) throw failure
  return text
}
