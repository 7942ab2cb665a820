import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SESSIONS_FOLDER } from '../../../src/core/handover/port.ts'
import type { SessionFiles } from '../../../src/core/handover/handover-session.ts'
import { hookedRepo } from '../hooked-repo.ts'
import { runCommands } from '../judged-repo.ts'
import type { Repo } from '../repo.ts'
import type { CorpusRow } from './corpus-rows.ts'
import { renamed } from './session-files.ts'

/** The name of the session that plays a row of the corpus. */
export function sessionOfRow(n: number): string {
  return `2026-02-01_row-${n}`
}

/** Writes the files of a session that differ, and removes others that it has. */
export function writeSession(repo: Pick<Repo, 'root'>, { name, texts }: SessionFiles): void {
  const folder = join(repo.root, SESSIONS_FOLDER, name)
  const there = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  for (const file of there)
    if (![...texts.keys()].some(it => `${it}/`.startsWith(`${file}/`))) rmSync(join(folder, file), GONE)
  for (const [file, text] of texts) {
    const path = join(folder, file)
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

const GONE = { recursive: true, force: true } as const

/** A repository whose HEAD has each row's session before its change, and whose index has it afterwards. */
export async function corpusRepo(rows: readonly CorpusRow[]): Promise<Repo> {
  const repo = await hookedRepo()
  rows.forEach(({ before }, n) => before && writeSession(repo, renamed(before, sessionOfRow(n))))
  await commitUnjudged(repo, 'before')
  rows.forEach(({ after }, n) => writeSession(repo, renamed(after, sessionOfRow(n))))
  await repo.git('add', '--all')
  return repo
}

/** Commits all that is changed, which no hook judges. */
export async function commitUnjudged(repo: Repo, subject: string): Promise<void> {
  const { code, stderr } = await runCommands(
    repo,
    `git add -A; git -c core.hooksPath=/dev/null commit -q --allow-empty -m ${subject} -m 'Intent-ID: INT-001'`,
  )
  if (code !== 0) throw new Error(stderr)
}
