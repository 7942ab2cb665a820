import { answererHere } from '../../world/recording/agent-activity/answerer.ts'
import { readWindows } from '../../world/recording/agent-activity/windows.ts'
import { areHandWritten } from '../../world/approvals/hand-written.ts'
import { recordApproval } from '../../world/approvals/approve-staged.ts'
import { readHead } from '../../world/io/worktree/head.ts'
import type { PathChange } from '../../core/git/changes.ts'
import { carryLessons, takeBackLessons } from '../../world/lessons/carry-lessons.ts'
import { judgeHandoverChanges, type WrittenChanges } from '../../world/handover/judge-changes.ts'
import { policyLookup } from '../../world/commits/base-policy.ts'
import { lentIntents } from '../../world/commits/own-intents.ts'
import { openBlobs } from '../../world/io/git/blobs.ts'
import { openChangeClassifier } from '../../world/code/meaning/change-classes.ts'
import { mergeRegistryFiles } from './merge-driver.ts'
import { type KotefError, toKotefError } from '../../core/base/failure.ts'
import { heldInOtherWorktrees } from '../../world/intents/sessions/claims.ts'
import { loadConfig } from '../../world/intents/policy/load-policy.ts'
import { compilePolicy } from '../../world/intents/policy/compile-policy.ts'
import { countRefusedCommit } from '../../world/runs/refused-commit.ts'
import type { RefusedWrite } from '../../world/runs/refusal-events.ts'
import { judgePush, type Push } from '../../world/verify/judge-push.ts'
import { judgeStagedMerge, judgeStagedPolicy, type StagedPolicy } from '../../world/verify/staged-policy.ts'
import { onlyTransitionsIn } from '../../world/intents/registry/transitions-only.ts'
import { escapeForTerminal } from '../../core/base/printable.ts'
import { openRepository, type Workspace } from '../../world/io/worktree/workspace.ts'

/**
 * Answers the hooks' questions that need YAML, from a bundle of its own (`policy-program.cjs`). It lies beside
 * `hook.cjs` in the folder that all worktrees share, so neither needs an installed package.
 */
const QUESTIONS = {
  compile: (workspace: Workspace) => compilePolicy(workspace),
  'only-transitions': async ({ root }: Workspace, changes: readonly PathChange[]) => {
    await using blobs = openBlobs(root)
    return await onlyTransitionsIn(blobs, changes)
  },
  'staged-policy': (workspace: Workspace, staged: StagedPolicy) => judgeStagedPolicy(workspace, staged),
  'staged-merge': (workspace: Workspace, staged: StagedPolicy) => judgeStagedMerge(workspace, staged),
  'approve-own': (workspace: Workspace, changes: readonly PathChange[]) => approveOwnEdits(workspace, changes),
  handover: async (workspace: Workspace, changes: WrittenChanges) => {
    await using blobs = openBlobs(workspace.root)
    return await judgeHandoverChanges(changes, { ...workspace, revision: '', blobs })
  },
  classify: async ({ root }: Workspace, changes: readonly PathChange[]) => {
    await using blobs = openBlobs(root)
    using classifier = openChangeClassifier(blobs)
    return await classifier.classesOf(changes)
  },
  'lent-intents': async ({ root }: Workspace, { works, known }: LentQuestion) => {
    await using blobs = openBlobs(root)
    return await lentIntents(works, known, policyLookup(blobs))
  },
  'refused-commit': (workspace: Workspace, refused: readonly RefusedWrite[]) =>
    countRefusedCommit(workspace, refused, process.env),
  'held-elsewhere': async (workspace: Workspace) => heldInOtherWorktrees(workspace, await loadConfig(workspace)),
  'carry-lessons': (workspace: Workspace) => carryLessons(workspace, process.env),
  'take-back-lessons': (workspace: Workspace) => takeBackLessons(workspace, process.env),
  'judge-push': (workspace: Workspace, push: Push) => judgePush(workspace, push, process.env),
}

/** The work that a commit inherits, and the intents that its own registry has. */
type LentQuestion = { readonly works: Parameters<typeof lentIntents>[0]; readonly known: readonly string[] }

/** The questions of the hooks: each takes the worktree and its own input. */
export type YamlQuestions = typeof QUESTIONS

/** What this program exports. */
export type YamlHelper = { readonly answerQuestion: typeof answerQuestion }

/** An answer, or the failure that is the reason for none: the hook's bundle has an error class of its own. */
export type HelperAnswer<T> =
  | { readonly answer: T; readonly error?: undefined }
  | { readonly answer?: undefined; readonly error: Pick<KotefError, 'code' | 'message' | 'hint'> }

// A tool that runs now may be what commits. The daemon is not asked to catch up: it waits for git, which waits here.
async function approveOwnEdits(workspace: Workspace, changes: readonly PathChange[]): Promise<boolean> {
  const isIdle = (await readWindows(workspace)).every(it => it.closedAt !== null)
  if (!isIdle || !(await areHandWritten(workspace, changes))) return false
  // The hook has found that git runs at a terminal.
  const { who } = await answererHere(workspace, { env: process.env, atTerminal: true, program: process.ppid })
  if (who === 'agent') return false
  const person = who === 'person' ? 'proved' : 'unproved'
  await recordApproval(workspace, { head: await readHead(workspace), changes, person })
  return true
}

/** Answers a question of a hook about the worktree in which this process runs. Never throws. */
export async function answerQuestion(question: keyof YamlQuestions, input: unknown): Promise<HelperAnswer<unknown>> {
  const answering: (workspace: Workspace, input: never) => unknown = QUESTIONS[question]
  try {
    return { answer: await answering(await openRepository(process.cwd()), input as never) }
  } catch (thrown) {
    const { code, message, hint } = toKotefError(thrown)
    return { error: { code, message, hint } }
  }
}

/** Merges two registries: what the program does by itself. Git prints what its merge driver prints. */
export async function run(): Promise<void> {
  const [, ...args] = process.argv.slice(2)
  const merge = await mergeRegistryFiles(args)
  if (!merge) return
  // `hooks/merge-registry` reads the exit code.
  process.exitCode = merge.conflicts.length > 0 ? 88 : 87
  for (const it of merge.conflicts) process.stderr.write(`kotef: ${args.at(-1)}: ${escapeForTerminal(it)}\n`)
}
