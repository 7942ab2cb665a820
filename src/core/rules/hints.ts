import { isFinalStatus, isOpen } from '../intents/lifecycle.ts'
import { INTENTS_FOLDER, REGISTRY_PATH } from '../base/governance-files.ts'
import type { Finding } from '../base/finding.ts'
import { printable, shellQuoted } from '../base/printable.ts'
import type { PolicyIntent } from '../intents/scope/policy.ts'
import { constraintWords, type EnforcedConstraint } from '../intents/contract/enforced-constraints.ts'
import { intentsOwning } from './commit-facts.ts'
import type { Commit } from '../git/trailers/commits.ts'
import { type ScopeContext, widenHint } from './widen-scope.ts'

/** The subject of the commit that adds the registry to history. */
export const ADOPTION = 'adopt kotef'

/** The command that makes this commit, with all that has changed. */
export const ADOPT_COMMAND = `git add -A && git commit -m "${ADOPTION}" -m "Governance: ${ADOPTION}"`

/** The command that unstages a path. */
export function unstageHint(path: string): string {
  // A path with control characters, or that is not UTF-8, can't be pasted into a terminal.
  if (/[\p{C}\ufffd]/u.test(path)) return 'Unstage it together with all other files: `git restore --staged .`'
  const word = literalPathspec(path, { fromTop: false })
  return `Unstage it: \`git restore --staged ${path.startsWith('-') ? '-- ' : ''}${word}\``
}

/** A hint for a person below the top of the worktree: the paths of git's commands in it begin at the top. */
export function hintBelowTop(hint: string): string {
  return hint.replace(PATHS_OF_GIT, (_, command: string, paths: string) => {
    const words = paths.match(/(?:'[^']*'|\\'|[^\s'])+/g) ?? []
    return `${command}${words.map(wordFromTop).join(' ')}`
  })
}

const PATHS_OF_GIT = /(git restore --staged (?:-- )?|git add |-- )([^`&]+?)(?=`| &&)/g

function wordFromTop(word: string): string {
  if (word === '.') return ':/'
  if (/^':(?:\/|\(top)/.test(word)) return word
  if (word.startsWith("':(")) return word.replace("':(", "':(top,")
  return word.startsWith("'") ? `':/${word.slice(1)}` : `:/${word}`
}

/** A path as one word for git and the shell; `fromTop` for a reader in a folder below the top of the worktree. */
export function literalPathspec(path: string, { fromTop }: { readonly fromTop: boolean }): string {
  // git treats a path with `*`, `?`, `[` or `\`, or with `:` at its beginning, as a pattern.
  const magic = [...(fromTop ? ['top'] : []), ...(/[*?[\\]|^:/.test(path) ? ['literal'] : [])]
  return shellQuoted(magic.length === 0 ? path : `:(${magic.join(',')})${path}`)
}

/** The command that commits governance files alone. */
export function governanceHint(paths: readonly string[]): string {
  const words = paths.map(it => literalPathspec(it, { fromTop: false }))
  return `Commit it alone: \`git commit -m 'subject' -m 'Governance: why' -- ${words.join(' ')}\``
}

/** The finding of a governance file in one commit with other work. `all` are the governance files of that commit. */
export function governanceAloneFinding(path: string, all: readonly string[]): Finding {
  return {
    rule: 'governance-alone',
    level: 'block',
    path,
    message: `${printable(path)} is a governance file and can't be committed together with other work`,
    hint: governanceHint(all),
  }
}

/** How a person approves and commits changes of governance files beside an agent. */
export function approvalHint(paths: readonly string[]): string {
  const words = paths.map(it => literalPathspec(it, { fromTop: false })).join(' ')
  const commit = `git commit -m 'subject' -m 'Governance: why' -- ${words}`
  return `A person does it at a terminal: \`git add ${words} && kotef approve && ${commit}\``
}

/** A finding's hint where another one than that for a single path applies; null where that one does. */
type HintInstead = { readonly hint: string | null }

/** The finding of a staged path that no cited intent owns: names the intents that own it, and what to do. */
export function outOfScopeFinding(
  path: string,
  { policy, judge, cited }: ScopeContext,
  { hint }: HintInstead = { hint: null },
): Finding {
  const constraint = closingConstraint(path, { policy, judge, cited })
  if (constraint) return closedPathFinding(path, constraint)
  const owners = intentsOwning(path, policy.intents, judge).filter(it => !isFinalStatus(it.status))
  const owner = owners.find(it => !it.chores) ?? owners[0]
  const owning = owner ? `; ${owners.map(it => it.id).join(' and ')} ${owners.length > 1 ? 'own' : 'owns'} it` : ''
  return {
    rule: 'in-scope',
    level: 'block',
    path,
    message: `${printable(path)} ${scopePosition(path, { policy, judge, cited })}${owning}`,
    hint: hint ?? (owner ? ownerHint(owner) : `${unstageHint(path)}, or ${widenHint(path, cited, policy)}`),
  }
}

/** The finding of a path that a constraint closes: no wider scope would help. */
export function closedPathFinding(path: string, constraint: EnforcedConstraint): Finding {
  return {
    rule: 'constraint-path',
    level: 'block',
    path,
    message: `${printable(path)} may not be changed: ${constraintWords(constraint)}`,
    hint: `${unstageHint(path)}. Only a person changes the constraint.`,
  }
}

/** The constraint of a cited intent by which it may not change a path that it would own, or that nobody owns. */
function closingConstraint(path: string, { policy, judge, cited }: ScopeContext): EnforcedConstraint | null {
  const verdicts = policy.intents.filter(it => cited.includes(it.id)).map(it => judge(it, path))
  const closed = verdicts.find(it => it.kind === 'constraint')
  return closed?.kind === 'constraint' ? closed.constraint : null
}

function scopePosition(path: string, { policy, judge, cited }: ScopeContext): string {
  if (cited.length === 0) return 'is owned by no open intent'
  const scopes = policy.intents.filter(it => cited.includes(it.id)).map(it => it.owned_scope)
  const verdict = scopes.map(it => judge(it, path)).find(it => it.kind === 'excluded')
  const why = verdict?.kind === 'excluded' ? ` (${verdict.by})` : ''
  return `is outside ${cited.length > 1 ? 'intents' : 'intent'} ${cited.join(' and ')}${why}`
}

function ownerHint({ id, status, chores }: PolicyIntent): string {
  if (!isOpen(status)) return `Start its intent: \`kotef intent start ${id}\``
  const trailer = `Commit it with the trailer \`Intent-ID: ${id}\``
  // No session starts a standing intent.
  return chores ? trailer : `${trailer}, or start that intent: \`kotef intent start ${id}\``
}

/** How a registry is kept, and how a command that commits it is run. */
type RegistryForm = { readonly isTeam: boolean; readonly isQuiet?: boolean }

/** The command that commits the registry without what is staged besides. Git commits only files that it knows. */
export function commitRegistryCommand(what: string, { isTeam, isQuiet = false }: RegistryForm): string {
  const [add, folder] = isTeam ? [`git add ${INTENTS_FOLDER} && `, ` ${INTENTS_FOLDER}`] : ['', '']
  return `${add}git commit -${isQuiet ? 'q' : ''}m "${what}" -m "Governance: ${what}" ${REGISTRY_PATH}${folder}`
}

/** The command that commits the registry below the commit that was just made: it counts for the commits after it. */
export function registryFirstHint(id: string, isTeam: boolean): string {
  const registry = commitRegistryCommand(`add ${id}`, { isTeam, isQuiet: true })
  return `Put the registry before it: \`git reset -q --soft HEAD~1 && ${registry} && git commit -qC ORIG_HEAD\``
}

type RewrittenCommit = Pick<Commit, 'oid' | 'parents'>

/** The command that drops or changes a commit. */
function rewriteHint(commit: RewrittenCommit): string {
  return `Drop or change that commit: \`${rebaseCommand(commit)}\``
}

/** A finding about an existing commit, with a hint that applies to it: nothing is staged any more. */
export function withRewriteHint(finding: Finding, commit: RewrittenCommit & Pick<Commit, 'governance'>): Finding {
  if (finding.level === 'review' || finding.rule === 'policy-in-range') return finding
  if (MESSAGE_RULES.includes(finding.rule))
    return { ...finding, hint: `Reword that commit: \`${rebaseCommand(commit)}\`. ${finding.hint}` }
  if (finding.hint === STRICT_HINT) return { ...finding, hint: `${rewriteHint(commit)}. ${STRICT_HINT}` }
  if (finding.rule === 'governance-unsigned')
    return { ...finding, hint: `Sign it, and what follows it: \`${signCommand(commit)}\`` }
  if (finding.rule === 'governance-alone' && commit.governance === null)
    return { ...finding, hint: `${rewriteHint(commit)}. Governance files alone need the trailer \`Governance: why\`` }
  return { ...finding, hint: rewriteHint(commit) }
}

/** How a strict config is met where no ledger has a person's approval. */
export const STRICT_HINT = 'Keys that count on a server: `kotef explain governance-unsigned`'

const MESSAGE_RULES = ['intent-named', 'intent-known', 'trailer-misplaced', 'governance-reason', 'adoption']

function rebaseCommand(commit: RewrittenCommit): string {
  return `git rebase --interactive${mergesOption(commit)} ${rebaseStart(commit)}`
}

function signCommand(commit: RewrittenCommit): string {
  return `git rebase --force-rebase --gpg-sign${mergesOption(commit)} ${rebaseStart(commit)}`
}

const mergesOption = ({ parents }: RewrittenCommit): string => (parents.length > 1 ? ' --rebase-merges' : '')

const rebaseStart = ({ oid, parents }: RewrittenCommit): string =>
  parents.length === 0 ? '--root' : `${oid.slice(0, 10)}^`
