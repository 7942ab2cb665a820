import { readFileSync } from 'node:fs'
import { answererHere } from '../agent-activity/answerer.ts'
import { readWindows } from '../agent-activity/windows.ts'
import { areHandWritten } from '../approvals/hand-written.ts'
import { recordApproval } from '../approvals/approve-staged.ts'
import { readHead } from '../worktree/head.ts'
import type { PathChange } from '../git/changes.ts'
import { carryLessons, takeBackLessons } from '../lesson-store/carry-lessons.ts'
import { judgeHandoverChanges, type WrittenChanges } from '../handover-sessions/judge-changes.ts'
import { openBlobs } from '../io/git/blobs.ts'
import { openChangeClassifier } from '../meaning/change-classes.ts'
import { mergeRegistryFiles } from './merge-driver.ts'
import { toKotefError } from '../findings/failure.ts'
import { heldInOtherWorktrees } from '../sessions/claims.ts'
import { loadConfig } from '../policy/load-policy.ts'
import { compilePolicy } from '../policy/compile-policy.ts'
import { judgePush } from '../verify/judge-push.ts'
import { judgeStagedMerge, judgeStagedPolicy, type StagedPolicy } from '../verify/staged-policy.ts'
import { hasOnlyTransitions } from '../registry/transitions-only.ts'
import { escapeForTerminal } from '../text/printable.ts'
import { openRepository, type Workspace } from '../worktree/workspace.ts'

type HelperQuestion = (workspace: Workspace, args: readonly string[]) => Promise<unknown>

/**
 * Answers the hooks' questions that need YAML, in a program of its own (`policy.cjs`). It lies beside `hook.cjs` in the
 * folder that all worktrees share, so neither needs an installed package. It prints one JSON document.
 */
const QUESTIONS: Readonly<Record<string, HelperQuestion>> = {
  compile: async workspace => ({ compiled: await compilePolicy(workspace) }),
  'registry-moves': async (workspace, [path = '', before = '', after = '']) => ({
    moves: await hasOnlyTransitions(workspace, { path, before, after }),
  }),
  'staged-policy': async workspace => ({
    findings: await judgeStagedPolicy(workspace, JSON.parse(readFileSync(0, 'utf8')) as StagedPolicy),
  }),
  'staged-merge': async workspace => ({
    findings: await judgeStagedMerge(workspace, JSON.parse(readFileSync(0, 'utf8')) as StagedPolicy),
  }),
  'approve-own': async workspace => ({
    approved: await approveOwnEdits(workspace, JSON.parse(readFileSync(0, 'utf8')) as PathChange[]),
  }),
  handover: async workspace => {
    await using blobs = openBlobs(workspace.root)
    return await judgeHandoverChanges(JSON.parse(readFileSync(0, 'utf8')) as WrittenChanges, { revision: '', blobs })
  },
  classify: async workspace => {
    await using blobs = openBlobs(workspace.root)
    using classifier = openChangeClassifier(blobs)
    const classes = await classifier.classesOf(JSON.parse(readFileSync(0, 'utf8')) as PathChange[])
    return { classes: [...classes] }
  },
  'held-elsewhere': async workspace => ({
    intents: await heldInOtherWorktrees(workspace, await loadConfig(workspace)),
  }),
  'carry-lessons': workspace => carryLessons(workspace, process.env),
  'take-back-lessons': async workspace => {
    await takeBackLessons(workspace, process.env)
    return {}
  },
  'judge-push': async (workspace, [remote = '', url = '']) => ({
    findings: await judgePush(workspace, { remote, url, lines: readFileSync(0, 'utf8') }, process.env),
  }),
}

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

async function answerQuestion([question = '', ...args]: readonly string[]): Promise<unknown> {
  const answering = QUESTIONS[question]
  if (!answering) throw new Error(`There is no question ${question}.`)
  return answering(await openRepository(process.cwd()), args)
}

function failureAnswer(thrown: unknown): unknown {
  const { code, message, hint } = toKotefError(thrown)
  process.exitCode = 1
  return { error: { code, message, hint } }
}

const answerOfHelper = (args: readonly string[]) =>
  answerQuestion(args)
    .catch(failureAnswer)
    .then(answer => process.stdout.write(`${JSON.stringify(answer)}\n`))

// Git prints what its merge driver prints. `hooks/merge-registry` reads the exit code.
async function answerMerge(args: readonly string[]): Promise<void> {
  const merge = await mergeRegistryFiles(args)
  if (!merge) return
  process.exitCode = merge.conflicts.length > 0 ? 88 : 87
  for (const it of merge.conflicts) process.stderr.write(`kotef: ${args.at(-1)}: ${escapeForTerminal(it)}\n`)
}

const [first, ...others] = process.argv.slice(2)
void (first === 'merge-registry' ? answerMerge(others) : answerOfHelper(process.argv.slice(2)))
