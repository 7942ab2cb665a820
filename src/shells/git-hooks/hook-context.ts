import { dirname, join } from 'node:path'
import { agentVariable } from '../../core/agents/detect-agent.ts'
import type { GitOperation } from '../../core/git/git-operation.ts'
import { ownPath } from '../../world/io/worktree/layout.ts'
import { KotefError } from '../../core/base/failure.ts'
import type { HelperAnswer, YamlHelper, YamlQuestions } from './yaml-helper.ts'

/** Where a hook runs. Git starts it at the top of the worktree, and sets GIT_DIR when that is not `.git`. */
export type HookContext = GitOperation & {
  /** The folder that this program was installed into, shared by all worktrees of the clone. */
  readonly shared: string
  /** Loads the program beside this one that reads YAML, in this process. */
  readonly loadHelper: LoadHelper
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

/** Loads the program that reads YAML: whatever its file exports. */
export type LoadHelper = () => Partial<YamlHelper>

/** The context of the hook that this process is. */
export function hookContext(hook: string, loadHelper: LoadHelper, env: NodeJS.ProcessEnv = process.env): HookContext {
  const gitDir = env['GIT_DIR'] || '.git'
  const named = hook === 'pre-merge-commit' ? Object.keys(env) : []
  return {
    gitDir,
    namedSides: named.flatMap(it => /^GITHEAD_([0-9a-f]+)$/.exec(it)?.[1] ?? []),
    shared: dirname(process.argv[1] ?? ''),
    loadHelper,
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

/** What a question needs besides the worktree; null where it needs nothing. */
type Input<K extends keyof YamlQuestions> = YamlQuestions[K] extends (workspace: never, input: infer I) => unknown
  ? I
  : never
type Answer<K extends keyof YamlQuestions> = Awaited<ReturnType<YamlQuestions[K]>>

/** Asks the YAML helper a question. Throws the failure that the helper reports. */
export async function askYamlHelper<K extends keyof YamlQuestions>(
  { shared, loadHelper }: Pick<HookContext, 'shared' | 'loadHelper'>,
  question: K,
  input: Input<K>,
): Promise<Answer<K>> {
  const { answer, error } = (await loaded(shared, loadHelper)(question, input)) as HelperAnswer<Answer<K>>
  if (error) throw new KotefError(error.code, error.message, { hint: error.hint })
  return answer
}

function loaded(shared: string, loadHelper: LoadHelper): YamlHelper['answerQuestion'] {
  try {
    const { answerQuestion } = loadHelper()
    if (answerQuestion) return answerQuestion
  } catch {
    // A damaged program throws anything.
  }
  throw new KotefError('hooks-damaged', `${join(shared, 'policy-program.cjs')} can't be loaded.`)
}
