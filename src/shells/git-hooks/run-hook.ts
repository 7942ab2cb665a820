import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RefusedWrite } from '../../world/runs/refusal-events.ts'
import { toKotefError } from '../../core/base/failure.ts'
import type { Finding } from '../../core/base/finding.ts'
import { findingLines } from '../../core/report/finding-lines.ts'
import { carryLessonsHere, takeBackLessonsHere } from './carried-lessons.ts'
import { askYamlHelper, hookContext, type HookContext, type LoadHelper } from './hook-context.ts'
import { currentPolicyHere } from './policy-here.ts'
import { isPolicyFile } from '../../core/base/governance-files.ts'
import { gatherHere } from './gather-here.ts'
import { readLedgerEnd } from '../../world/ledger/ledger-end.ts'
import type { PathChange } from '../../core/git/changes.ts'
import { isWorkOfOthers } from '../../core/ledger/written-intents.ts'
import { isBeforeAdoption, leftLine } from './registry-history.ts'
import { gatherPreparedSources, gatherWorkLentByMessage } from '../../world/commits/git-facts.ts'
import { gatherNewDependencies } from '../../world/commits/new-dependencies.ts'
import { amendsAdoption, amendsHead, gatherTakenOver } from '../../world/commits/intent-sources.ts'
import { silentMergeFindings, stagedPolicyFindings } from './staged-policy.ts'
import { type BotCommit, isByBot, withoutBotFindings } from '../../core/rules/bots.ts'
import { hintBelowTop } from '../../core/rules/hints.ts'
import { judgeStaged } from '../../core/rules/judge-staged.ts'
import { arePersons, stagedClasses, stagedFacts } from './staged-facts.ts'
import { type CommitFacts, onlySettlesConflicts, type StagedFacts } from '../../core/rules/commit-facts.ts'
import { commitsMadeAgain, isMerging, isRebasing, isReplaying } from '../../core/git/git-operation.ts'
import { judgeCommit } from '../../core/rules/judge-commit.ts'
import { anchorText } from '../../core/ledger/anchors.ts'
import { parseChainHead } from '../../core/ledger/chain.ts'
import { isBelowAmend } from '../../world/io/process/processes.ts'
import { ownPath } from '../../world/io/worktree/layout.ts'
import { trailerValues } from '../../core/git/trailers/parse-trailers.ts'
import { trailersToAdd } from './commit-intents.ts'
import { coAuthorsIn, referencedCommits } from '../../core/git/trailers/commits.ts'
import { addTrailers, type CommitMessage, isSquashing, readCommitMessage } from './commit-message.ts'
import { retryForm } from './retry-form.ts'
import { readRegularFileSync } from '../../world/io/files/regular-file.ts'

/** The answer of a hook to git: an exit code, and the text to print. */
export type HookAnswer = { readonly exit: number; readonly text: string }

/** Runs one hook. Never throws: any failure stops the commit, with a hint how to continue. */
export async function runHook(hook: string, args: readonly string[], loadHelper: LoadHelper): Promise<HookAnswer> {
  const operation = OPERATIONS[hook] ?? 'commit'
  try {
    const context = hookContext(hook, loadHelper)
    if (hook === 'prepare-commit-msg') return await runPrepareCommitMsg(context, args)
    if (hook === 'pre-push') return hookAnswer(operation, await prePush(context, args))
    if (isBeforeAdoption()) return { exit: 0, text: '' }
    const left = leftLine()
    if (left !== null) return { exit: 0, text: hook === 'commit-msg' ? '' : left }
    if (hook === 'commit-msg') return await answerCommitMsg(context, args[0] ?? '')
    // The worktree's files can be sound, and those in the index damaged; in a conflict both are.
    const damages = await stagedPolicyFindings(context)
    if (damages.length > 0) return hookAnswer(operation, damages, context.prefix)
    const { compiledPolicy, remarks } = await currentPolicyHere(context)
    const facts = await stagedFacts(context, compiledPolicy)
    const findings = stagedFindings(context, facts)
    await countInAgentsRun(context, facts, findings)
    const answer = hookAnswer(operation, findings, context.prefix)
    const carried = hook === 'pre-commit' && answer.exit === 0 ? await carryLessonsHere(context, facts) : []
    return withRemarks([...remarks, ...carried], answer)
  } catch (thrown) {
    const { message, hint } = toKotefError(thrown)
    return { exit: 1, text: `kotef: ${operation} stopped, it can't be judged.\n${indented(message)}\n  ${hint}` }
  }
}

const OPERATIONS: Readonly<Record<string, string>> = { 'pre-merge-commit': 'merge', 'pre-push': 'push' }

// Even `--no-verify` does not skip this hook, so it must never stop a commit; commit-msg does that.
async function runPrepareCommitMsg(
  context: HookContext,
  [file = '', source = '']: readonly string[],
): Promise<HookAnswer> {
  try {
    await prepareCommitMsg(context, { file, source })
  } catch {
    // The same failure happens in commit-msg, which reports it.
  }
  return { exit: 0, text: '' }
}

// More findings than fit on a terminal say nothing new: they have one cause.
const FINDINGS_MAX = 20

function hookAnswer(act: string, found: readonly Finding[], prefix = ''): HookAnswer {
  const findings = prefix === '' ? found : found.map(it => ({ ...it, hint: hintBelowTop(it.hint) }))
  if (findings.every(it => it.level === 'observe')) return { exit: 0, text: '' }
  const stops = findings.some(it => it.level === 'block')
  const title = `kotef: ${act} ${stops ? 'stopped' : 'goes through for review'}`
  return { exit: stops ? 1 : 0, text: findingLines(title, findings, FINDINGS_MAX) }
}

async function answerCommitMsg(context: HookContext, file: string): Promise<HookAnswer> {
  const answer = hookAnswer('commit', await commitMsg(context, file), context.prefix)
  if (answer.exit !== 0) await takeBackLessonsHere(context)
  return answer
}

function withRemarks(remarks: readonly string[], { exit, text }: HookAnswer): HookAnswer {
  const lines = remarks.map(it => `kotef: ${it}`)
  return { exit, text: [...lines, text].filter(it => it !== '').join('\n') }
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ')
}

/** Judges the commits of a push. Git names the remote in the arguments, and the references on stdin. */
function prePush(context: HookContext, [remote = '', url = '']: readonly string[]): Promise<Finding[]> {
  return askYamlHelper(context, 'judge-push', { remote, url, lines: readFileSync(0, 'utf8') })
}

// The adoption commit may contain anything, also when it is amended: then commit-msg asks for its reason.
function stagedFindings(context: HookContext, facts: StagedFacts): Finding[] {
  const findings = withoutBotFindings(judgeStaged(facts), botCommit(context, facts), facts.policy.bots)
  return findings.length > 0 && amendsAdoptionHere(context, facts) ? [] : findings
}

function amendsAdoptionHere({ author }: HookContext, { changes }: StagedFacts): boolean {
  return gatherHere(amendsAdoption({ author, now: Date.now(), changes }))
}

/** Judges the commit by its message, and adds the live intent to a message from an editor that cites none. */
async function commitMsg(context: HookContext, file: string): Promise<Finding[]> {
  rmSync(join(context.compiled, 'passed'), { force: true })
  const message = readCommitMessage(context, file)
  // A rebased commit was judged when it was first made.
  if (gatherHere(isReplaying(context))) return []
  const facts = await stagedFacts(context, (await currentPolicyHere(context)).compiledPolicy, message.text)
  // Git refuses an empty message itself, unless an option allows it.
  if (message.isEmpty && !facts.byAgent) return []
  const added = needsNoIntent(context, facts) ? { intents: [], reasons: [] } : trailersToAdd(context, message, facts)
  const commit = await factsWithMessage(context, message, { facts, added })
  const findings = [...(await judgeMessage(context, message, commit)), ...(await silentMergeFindings(context, commit))]
  await countInAgentsRun(context, facts, findings)
  if (findings.some(it => it.level === 'block')) return findings
  const anchors = facts.policy.isAnchored ? ledgerHead(context, message) : []
  addTrailers(message, { ...added, anchors, picked: unnamedPicks(context, message, facts) })
  rememberCommit(context, commit.cited)
  dropFastPathFile(context, facts)
  // pre-merge-commit or pre-commit has printed the findings of a merge, and those of paths but for these rules.
  const isNew = (it: Finding) => it.level !== 'warn' || it.path === null || LATE_RULES.has(it.rule)
  return facts.conflicted === null ? findings.filter(isNew) : []
}

type PreparedFacts = { readonly facts: StagedFacts; readonly added: ReturnType<typeof trailersToAdd> }

type MessageFacts = CommitFacts & { readonly takenOver: readonly PathChange[] }

async function factsWithMessage(
  context: HookContext,
  message: CommitMessage,
  { facts, added }: PreparedFacts,
): Promise<MessageFacts> {
  const [governance = null] = [...trailerValues(message.trailers, 'Governance'), ...added.reasons]
  const cited = [...new Set([...message.cited, ...added.intents])]
  const amends = gatherHere(amendsHead({ ...context, now: Date.now(), changes: facts.changes }))
  const dependencies = gatherNewDependencies({ ...facts, cited }, { policies: [facts.policy], parent: 'HEAD' })
  // Two commits can have one author and date, as when a script sets it.
  const takenOver =
    amends && governance === null && isBelowAmend() ? gatherHere(gatherTakenOver(facts.changes, cited)) : []
  return {
    ...facts,
    changes: [...facts.changes, ...takenOver],
    takenOver,
    amends,
    ...(await stagedClasses(context, { ...facts, cited })),
    ...gatherHere(dependencies),
    approved: await arePersons(context, facts),
    adoption: facts.adoption || (governance !== null && amendsAdoptionHere(context, facts)),
    governance,
    cited,
    misplaced: message.misplaced,
    retry: retryForm(context, message, { ...facts, amends }),
  }
}

async function judgeMessage(context: HookContext, message: CommitMessage, facts: MessageFacts): Promise<Finding[]> {
  const { takenOver, changes, policy } = facts
  const lent = gatherHere(gatherWorkLentByMessage(context, { message: message.text, changes }))
  const findings = withPreparedMessage(
    context,
    withoutBotFindings(
      judgeCommit({ ...facts, reworked: [], settled: [], ...lent }),
      { ...botCommit(context, facts), coAuthors: coAuthorsIn(message.text) },
      policy.bots,
    ),
    () => judgeCommit(facts),
  )
  return findings.map(it => (takenOver.some(({ path }) => path === it.path) ? { ...it, hint: AMEND_HINT } : it))
}

const AMEND_HINT = 'The commit that this one amends has it for another intent: make a new commit, without `--amend`.'

// The commit is refused, whether or not the run of the agent has it: it may have taken in the work of another agent.
async function countInAgentsRun(context: HookContext, facts: StagedFacts, findings: readonly Finding[]) {
  const { byAgent, changes, live } = facts
  const refused = findings.filter(it => it.level === 'block').flatMap(({ rule, path }) => brokenConstraint(rule, path))
  if (!byAgent || refused.length === 0) return
  const ledgerEnd = gatherHere(readLedgerEnd({ root: '', gitDir: context.gitDir }))
  const isOthers = (it: PathChange): boolean => isWorkOfOthers(ledgerEnd, it, live)
  const broken = refused.filter(({ path }) => !changes.some(it => it.path === path && isOthers(it)))
  if (broken.length > 0) await askYamlHelper(context, 'refused-commit', broken).catch(() => {})
}

function brokenConstraint(rule: string, path: string | null): RefusedWrite[] {
  return rule === 'constraint-path' || rule === 'constraint-dependency' ? [{ code: rule, path }] : []
}

// They need the message.
const LATE_RULES: ReadonlySet<string> = new Set(['refactor-only', 'constraint-dependency'])

// A push sees no source that only git's files name, so that nothing is lent by it; git's own message names it.
function withPreparedMessage(
  context: HookContext,
  findings: readonly Finding[],
  judgeWithSources: () => readonly Finding[],
): readonly Finding[] {
  const isBlock = ({ level }: Finding): boolean => level === 'block'
  if (!findings.some(isBlock) || gatherHere(gatherPreparedSources(context)).length === 0) return findings
  if (judgeWithSources().some(isBlock)) return findings
  const hint = "Keep git's message, which names the commits that this one is made of: `git commit --no-edit`"
  return findings.map(it => (isBlock(it) ? { ...it, hint } : it))
}

// An amended commit keeps the head that it was made with.
function ledgerHead({ gitDir }: HookContext, { trailers }: CommitMessage): string[] {
  const file = ownPath({ gitDir }, 'head.json')
  if (trailerValues(trailers, 'Trace').length > 0 || !existsSync(file)) return []
  const head = parseChainHead(readRegularFileSync(file)?.toString('utf8') ?? '')
  return head ? [anchorText(head)] : []
}

// The shell stamps no commit that may amend one for other intents: see `unlike_last` in common.sh.
function rememberCommit({ compiled, author }: HookContext, intents: readonly string[]): void {
  if (author === null || !existsSync(compiled)) return
  const last = join(compiled, 'last')
  // A pipe in its place would be waited for.
  rmSync(last, { force: true, recursive: true })
  writeFileSync(last, `${author.replaceAll('\0', ' ')}\n${intents.join(' ')}\n`)
}

// A merge needs an intent only for changes besides the resolution of conflicts.
function needsNoIntent(context: HookContext, facts: StagedFacts): boolean {
  const isBots = isByBot(botCommit(context, facts), facts.policy.bots)
  return facts.adoption || onlySettlesConflicts(facts) || isBots
}

function botCommit({ author }: HookContext, { changes }: StagedFacts): BotCommit {
  return { author: author?.split('\0')[1] ?? '', changes }
}

// After a commit that changes a policy file, the compiled scope belongs to the policy from before.
function dropFastPathFile({ compiled }: HookContext, { changes }: Pick<CommitFacts, 'changes'>): void {
  const file = join(compiled, 'active')
  if (changes.some(it => isPolicyFile(it.path)) && existsSync(file)) rmSync(file, { force: true })
}

/**
 * Adds the live intent's trailer when no editor opens, or when the message is not empty and git may skip commit-msg.
 * A merge needs no intent. In a rebase each commit keeps its own trailers, and a squash gets those of all its commits.
 */
async function prepareCommitMsg(
  context: HookContext,
  { file, source }: { file: string; source: string },
): Promise<void> {
  const squashing = isSquashing(context)
  if (gatherHere(isMerging(context)) || (!squashing && gatherHere(isReplaying(context)))) return
  if (!squashing && context.hasEditor && source !== 'message' && source !== 'merge') return
  const { compiledPolicy } = await currentPolicyHere(context)
  // The message of a squash contains git's comments, also when no editor opens; that of fixups alone does not.
  const edited = squashing ? !existsSync(join(context.gitDir, 'rebase-merge/message-fixup')) : context.hasEditor
  const message = readCommitMessage({ ...context, hasEditor: edited }, file)
  const facts = await stagedFacts(context, compiledPolicy, message.text)
  if (needsNoIntent(context, facts)) return
  const picked = squashing ? [] : unnamedPicks(context, message, facts)
  addTrailers(message, { ...trailersToAdd(context, message, facts), picked })
}

// A push and CI have the message alone: only by the name of the commit they find an intent that this branch lacks.
function unnamedPicks(
  context: HookContext,
  { text }: CommitMessage,
  { lent }: Awaited<ReturnType<typeof stagedFacts>>,
): string[] {
  if (lent.length === 0 || gatherHere(isRebasing(context))) return []
  const named = referencedCommits(text)
  return gatherHere(commitsMadeAgain(context)).filter(oid => !named.some(it => oid.startsWith(it)))
}
