import { spawnSync } from 'node:child_process'
import type { Repo } from '../rig/repo.ts'

/** One start of a program: what it is given, and what its answer must show. */
export type Start = {
  readonly name: string
  readonly words: readonly string[]
  readonly input: string
  readonly says: RegExp
}

/** Starts a program and waits for its end; the milliseconds that it took. Throws when its answer is another one. */
export function timedStart(repo: Repo, { name, words: [program = '', ...words], input, says }: Start): number {
  const from = performance.now()
  const { stdout, stderr } = spawnSync(program, words, { cwd: repo.root, env: repo.env(), input, encoding: 'utf8' })
  const ms = performance.now() - from
  if (!says.test(stdout)) throw new Error(`${name} is answered with:\n${stdout}${stderr}`)
  return ms
}
