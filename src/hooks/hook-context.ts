import { dirname, join } from 'node:path'
import { agentVariable } from '../agents/detect-agent.ts'
import type { GitOperation } from '../commits/git-operation.ts'
import { ownPath } from '../worktree/layout.ts'
import { type FailureCode, KotefError } from '../findings/failure.ts'
import { runSync } from '../io/process/run.ts'
import { parseObject } from '../text/payload.ts'

/** Where a hook runs. Git starts it at the top of the worktree, and sets GIT_DIR when that is not `.git`. */
export type HookContext = GitOperation & {
  /** The folder that this program was installed into, shared by all worktrees of the clone. */
  readonly shared: string
  readonly compiled: string
  /** True when git opens an editor for the message, before or after this hook. */
  readonly hasEditor: boolean
  /** The session that KOTEF_SESSION names, or null. */
  readonly session: string | null
  /** The author of the commit, as git exports it to its hooks; null when it does not. */
  readonly author: string | null
  /** The variable by which a program of an agent has marked its commands; null where none is set. */
  readonly agentVariable: string | null
  /** The folder from which git was started, relative to the top of the worktree; empty for the top. */
  readonly prefix: string
  /** GIT_REFLOG_ACTION: git sets it for its own commits, such as those of a rebase; else empty. */
  readonly reflogAction: string
}

/** The context of the hook that this process is. */
export function hookContext(hook: string, env: NodeJS.ProcessEnv = process.env): HookContext {
  const gitDir = env['GIT_DIR'] || '.git'
  const named = hook === 'pre-merge-commit' ? Object.keys(env) : []
  return {
    gitDir,
    namedSides: named.flatMap(it => /^GITHEAD_([0-9a-f]+)$/.exec(it)?.[1] ?? []),
    shared: dirname(process.argv[1] ?? ''),
    compiled: ownPath({ gitDir }, 'compiled'),
    hasEditor: env['GIT_EDITOR'] !== ':',
    session: env['KOTEF_SESSION'] ?? null,
    author: authorIn(env),
    agentVariable: agentVariable(env),
    prefix: env['GIT_PREFIX'] ?? '',
    reflogAction: env['GIT_REFLOG_ACTION'] ?? '',
  }
}

function authorIn(env: NodeJS.ProcessEnv): string | null {
  const author = ['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_AUTHOR_DATE'].map(it => env[it])
  return author.includes(undefined) ? null : author.join('\0')
}

/** Asks the YAML helper, a program beside this one, a question. Throws the failure that the helper reports. */
export function askYamlHelper<T>({ shared }: Pick<HookContext, 'shared'>, words: readonly string[], input = ''): T {
  const { status, stdout } = runSync(process.execPath, [join(shared, 'policy.cjs'), ...words], input)
  const answer = parseObject(stdout) as HelperAnswer | null
  if (answer?.error) throw new KotefError(answer.error.code, answer.error.message, { hint: answer.error.hint })
  if (status === 0 && answer) return answer as T
  throw new KotefError('hooks-damaged', `${join(shared, 'policy.cjs')} ended with ${status ?? 'no answer'}.`)
}

type HelperAnswer = { readonly error?: { readonly code: FailureCode; readonly message: string; readonly hint: string } }
