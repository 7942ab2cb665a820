import type { Signature } from '../git/signatures.ts'
import type { Commit } from '../git/trailers/commits.ts'
import type { Config } from '../intents/config.ts'
import type { Intent } from '../intents/intent.ts'
import type { PersonProof } from '../ledger/event.ts'
import type { Finding } from '../base/finding.ts'
import { pathNames } from './brought-changes.ts'
import { STRICT_HINT } from './hints.ts'
import { escapeInvisible } from '../base/printable.ts'
import { ALLOWED_SIGNERS_PATH, REGISTRY_PATH } from '../base/governance-files.ts'
import type { GovernanceChange } from './governance-changes.ts'

/** The finding of a commit that is meant to be squashed into another one and was not. */
export function autosquashFindings({ subject }: Pick<Commit, 'subject'>): Finding[] {
  const [, kind] = /^(fixup|squash|amend)! /.exec(subject) ?? []
  if (kind === undefined) return []
  const message = `this is ${kind === 'amend' ? 'an' : 'a'} ${kind} of another commit, and still a commit of its own`
  const hint = 'Squash it: `git rebase --interactive --autosquash`'
  return [{ rule: 'autosquash', level: 'review', path: null, message, hint }]
}

/** What is known of a commit that changes governance files. */
export type GovernanceContext = {
  readonly isStrict: boolean
  /** Whether a person is proved to have approved it, by the ledger; null without approval. */
  readonly approval: PersonProof | null
  /** The commit's signature where a list says who may change the rules: then an approval counts for nothing here. */
  readonly signature: Signature | null
  /** An agent wrote or committed it, and the ledger, which would have a person's approval, has none. */
  readonly isAgents: boolean
  /** A merge without `Governance:`: nobody said that it is to allow more than its parents. */
  readonly isSilentMerge: boolean
}

/**
 * The finding of a governance file's change, for review. What allows more blocks if the config is strict and nobody who
 * may do so has signed it, or approved it where no list says who may; and if a merge brings it in silence.
 */
export function governanceFinding(
  path: string,
  { description, effect }: GovernanceChange,
  { isStrict, approval, signature, isAgents, isSilentMerge }: GovernanceContext,
): Finding {
  const allowsMore = effect !== 'none'
  if (isStrict && allowsMore && !isAgents && !isSilentMerge && signature !== null && signature !== 'good')
    return unsignedFinding(path, `${description}${MORE[effect]}`, signature)
  const isGranted = signature === null ? approval === 'proved' : signature === 'good'
  const blocks = allowsMore && ((isStrict && !isGranted) || isAgents || isSilentMerge)
  return {
    rule: effect === 'none' || effect === 'adds' ? 'governance-changed' : 'governance-loosened',
    level: blocks ? 'block' : 'review',
    path,
    message: isSilentMerge
      ? `${description}; neither side of this merge has that`
      : `${description}${MORE[effect]}${approval === 'unproved' ? WITHOUT_PROOF : ''}`,
    hint: grantHint({ isStrict: isStrict && blocks, approval, signature, isAgents, isSilentMerge }),
  }
}

function grantHint({ isStrict, approval, signature, isAgents, isSilentMerge }: GovernanceContext): string {
  if (isSilentMerge) return SILENT_HINT
  if (signature === 'good') return SIGNED_HINT
  if (approval !== null) return APPROVED_HINTS[approval]
  if (isAgents) return AGENTS_HINT
  return isStrict ? STRICT_HINT : REVIEW_HINT
}

function unsignedFinding(path: string, change: string, signature: Exclude<Signature, 'good'>): Finding {
  return {
    rule: 'governance-unsigned',
    level: 'block',
    path,
    message: `${change}; a key in ${ALLOWED_SIGNERS_PATH} has to sign that, and ${NOT_SIGNED[signature]}`,
    hint: 'One of those sign it who may change the rules: `kotef explain governance-unsigned`',
  }
}

const NOT_SIGNED: Readonly<Record<Exclude<Signature, 'good'>, string>> = {
  none: 'the commit has no signature',
  unlisted: 'the commit is signed by another key',
  bad: "the commit's signature does not fit it",
  unchecked: "git can't check the commit's signature here",
}
const SIGNED_HINT = `A key in ${ALLOWED_SIGNERS_PATH} signed it.`
const WITHOUT_PROOF = '; it was approved, but that a person did it is not proved'
const APPROVED_HINTS: Readonly<Record<PersonProof, string>> = {
  proved: 'A person approved it at a terminal.',
  unproved: 'What proves a person: `kotef explain person-needed`',
}
const AGENTS_HINT = 'An agent wrote or committed it: a person commits it again after `kotef approve`'
const REVIEW_HINT = 'A person reviews it before it is merged.'
const SILENT_HINT = "Settle the conflict without that, or say why: `git commit -m 'merge' -m 'Governance: why'`"

const MORE: Readonly<Record<GovernanceChange['effect'], string>> = {
  adds: '',
  widens: ', so more is allowed than before',
  loosens: ', so more is allowed than before',
  leaves: '',
  none: '',
}

/** A violation of the policy from before the range, where a commit of the range changes the policy to allow it. */
export function policyInRange(finding: Finding, changedBy: Pick<Commit, 'oid' | 'subject'> | null): Finding {
  const commit = changedBy ? `${changedBy.oid.slice(0, 10)} (${escapeInvisible(changedBy.subject)})` : 'a commit'
  return {
    ...finding,
    rule: 'policy-in-range',
    message: `${finding.message} by the policy from before this range, and ${commit} changes that in the same range`,
    hint: 'Have the change of the policy merged first, by itself: `kotef explain policy-in-range`',
  }
}

/** As such a violation is on a default branch, where another branch had it and the change before. */
export function acceptedBefore<F extends Finding>(finding: F): F {
  if (finding.rule !== 'policy-in-range') return finding
  return {
    ...finding,
    level: 'review',
    hint: 'Another branch had both before: a person reviews the change of the policy.',
  }
}

/** The finding of an id under which both sides of a merge added an intent; `isMerging` while git waits for it. */
export function clashFinding(id: string, { isMerging = false } = {}): Finding {
  const abort = isMerging ? 'git merge --abort && ' : ''
  return {
    rule: 'intent-id-clash',
    level: 'block',
    path: REGISTRY_PATH,
    message: `${id} has two meanings: each side of the merge added another intent under it`,
    hint: `Give that of this branch another id, and merge again: \`${abort}kotef intent renumber ${id} --commit\``,
  }
}

/** The finding of an intent that a range cites, and that its target branch has closed meanwhile. */
export function closedMeanwhile({ id, status }: Pick<Intent, 'id' | 'status'>, since: string | null): Finding {
  const where = since === null ? '' : ` since ${since.slice(0, 10)}`
  return {
    rule: 'intent-open',
    level: 'review',
    path: REGISTRY_PATH,
    message: `${id} is ${status} at the target branch${where}: squashed or rebased onto it, this would be refused`,
    hint: `Merge it with a merge commit, or open the intent again: \`kotef intent reopen ${id} --reason <text>\``,
  }
}

/** A finding of the commit that a forge would make of a range whose commits have none. */
export function squashRefused({ path, message }: Finding, target: string): Finding {
  return {
    rule: 'squash-refused',
    level: 'block',
    path,
    message: `squashed onto ${target.slice(0, 10)}, this would be refused: ${message}`,
    hint: 'Merge it with a merge commit, or settle that on this branch first: `kotef explain squash-refused`',
  }
}

/**
 * The findings of a range as it would land, by the way in which its target branch takes in others: what another way
 * would allow is for review where any may be taken, and nothing where that one is.
 */
export function asItLands<F extends Finding>(findings: readonly F[], lands: Config['verify']['lands']): F[] {
  return findings.flatMap(it => {
    const refusing = REFUSING_WAYS[it.rule]
    if (refusing === undefined) return [it]
    if (lands === 'any') return [{ ...it, level: 'review' }]
    return refusing.includes(lands) ? [{ ...it, level: 'block' }] : []
  })
}

const REFUSING_WAYS: Readonly<Record<string, readonly Config['verify']['lands'][]>> = {
  'squash-refused': ['squash'],
  'intent-open': ['squash', 'rebase'],
}

/** The findings of a commit of such a range: where it is made again on the target, the newer policy refuses it. */
export function asRebased<F extends Finding>(findings: readonly F[], lands: Config['verify']['lands']): F[] {
  return findings.map(it => (it.rule === 'policy-newer' && lands === 'rebase' ? { ...it, level: 'block' } : it))
}

/** A finding of a range that the present policy of its target branch does not have. */
export function allowedAtTarget(finding: Finding, since: string, target: string): Finding {
  return {
    ...finding,
    message: `${finding.message}; the target branch allows this since ${since.slice(0, 10)}`,
    hint: `Rebase onto it: \`git rebase ${target.slice(0, 10)}\``,
  }
}

/**
 * A violation of the target branch's newer policy, by a commit that the older policy before it allows: anybody may
 * choose an old parent, so a person decides.
 */
export function refusedAtTarget(finding: Finding, target: string): Finding {
  return {
    ...finding,
    rule: 'policy-newer',
    level: 'review',
    message: `${finding.message} by the newer policy of ${target.slice(0, 10)}, which the commit does not build on`,
    hint: 'A person decides whether it is still wanted: `kotef explain policy-newer`',
  }
}

/** The finding of commits that a governed branch gets from a history without a registry: no policy has judged them. */
export function unjudgedHistory(
  count: number,
  newest: Pick<Commit, 'oid' | 'subject'>,
  paths: readonly string[],
): Finding {
  const name = `${newest.oid.slice(0, 10)} ${escapeInvisible(newest.subject)}`
  const changed = paths.length === 0 ? '' : `: ${pathNames(paths)}`
  const [which, pronoun] = count === 1 ? [`${name} has`, 'it'] : [`${name} and ${count - 1} more have`, 'they']
  return {
    rule: 'policy-newer',
    level: 'review',
    path: null,
    message: `${which} no registry before, so nobody judged what ${pronoun} changed${changed}`,
    hint: 'A person decides whether it is wanted: `kotef explain policy-newer`',
  }
}

/** The finding of a path that a later commit of the range takes back: nothing of it is merged. */
export function takenBackLater(finding: Finding): Finding {
  return { ...finding, level: 'review', message: `${finding.message}; the range takes it back` }
}
