import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

/** A repository of so many small files, 40 to a folder. */
export async function generateRepo(files: number): Promise<Repo> {
  const repo = await temporaryRepo()
  process.stderr.write(`  a repository of ${files} files\n`)
  for (let n = 0; n < files; n++) {
    await repo.write(`part-${Math.floor(n / 40)}/file-${n}.ts`, `export const value = ${n}\n`.repeat(20))
  }
  // Git packs before, and not in the middle of a measurement.
  await repo.git('config', 'gc.auto', '0')
  await repo.git('add', '--all')
  await repo.git('commit', '--quiet', '--message', 'chore: all files')
  await repo.git('gc', '--quiet')
  return repo
}

/** A copy with an index that knows its own files. */
export async function copyWithFreshIndex(model: Repo): Promise<Repo> {
  const repo = await temporaryRepo()
  await rm(repo.root, { recursive: true })
  await repo.run('cp', ['-R', model.root, repo.root], { cwd: repo.base })
  await repo.git('update-index', '-q', '--refresh')
  return repo
}

/** Adopts kotef and starts an intent that owns what the bench writes, among as many other folders as are asked for. */
export async function adoptForBench(repo: Repo, { hooks = 'git', patterns = 1 }: AdoptOptions = {}): Promise<void> {
  await kotefOrThrow(repo, 'init', '--yes', '--hooks', hooks)
  await repo.git('add', '--all')
  await repo.git('commit', '--quiet', '--message', 'chore: adopt kotef', '--message', 'Governance: adopt kotef')
  const others = Array.from({ length: patterns - 1 }, (_, n) => `packages/part-${n}/src/**`)
  const scope = ['bench/**', ...others].flatMap(it => ['--scope', it])
  await kotefOrThrow(repo, 'intent', 'add', '--id', 'BENCH-1', '--name', 'bench', ...scope)
  await kotefOrThrow(repo, 'intent', 'start', 'BENCH-1')
  const message = ['--message', 'chore: the intent', '--message', 'Governance: the intent of the bench']
  await repo.git('commit', '--quiet', '--all', ...message)
}

type AdoptOptions = { readonly hooks?: 'git' | 'husky'; readonly patterns?: number }

async function kotefOrThrow(repo: Repo, ...words: string[]): Promise<void> {
  const { code, stdout, stderr } = await repo.kotef(...words)
  if (code !== 0) throw new Error(`kotef ${words.join(' ')} ended with ${code}:\n${stderr}${stdout}`)
}

/** Makes git run these texts as hooks. */
export async function withHooks(repo: Repo, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [hook, text] of Object.entries(texts)) await repo.write(join('.git/hooks', hook), text, 0o755)
}
