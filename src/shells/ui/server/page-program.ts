import { fork } from 'node:child_process'
import { type FailureCode, KotefError } from '../../../core/base/failure.ts'
import { packageFile } from '../../../world/io/files/package.ts'
import { withoutRepositoryEnv } from '../../../world/io/git/run-git.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'

type PageAnswer<T> =
  T | { readonly error: { readonly code: FailureCode; readonly message: string; readonly hint: string } }

// The server may be open all day: without this, V8 collects garbage only from 50 MB on.
const SMALL_HEAP = ['--optimize-for-size', '--max-semi-space-size=4']

/** Starts `shells/boot/ui.ts`, which makes pages, in a process of its own, and waits for its first answer. */
export async function askPageProgram<T extends object>(
  { root }: Workspace,
  job: 'serve' | 'export',
  argument: string,
): Promise<T> {
  const child = fork(packageFile('dist/ui-server.cjs'), [job, argument], {
    cwd: root,
    env: withoutRepositoryEnv(process.env),
    detached: job === 'serve',
    execArgv: SMALL_HEAP,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const answer = await new Promise<PageAnswer<T>>((resolve, reject) => {
    child.once('message', message => resolve(message as PageAnswer<T>))
    child.once('error', reject)
    child.once('exit', code => reject(new KotefError('ui-failed', `The program of the pages exited with ${code}.`)))
  })
  if (child.connected) child.disconnect()
  child.unref()
  if ('error' in answer) throw new KotefError(answer.error.code, answer.error.message, { hint: answer.error.hint })
  return answer
}
