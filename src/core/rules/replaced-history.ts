import type { Finding } from '../base/finding.ts'
import { plural, printable } from '../base/printable.ts'
import type { GovernanceChange } from './governance-changes.ts'

/** A reference whose new commit does not contain its old one. */
export type ReplacedTip = {
  readonly name: string
  readonly old: string
  readonly next: string
  /** True when the new commit says, with `Governance:`, that it replaces the old one. */
  readonly isApproved: boolean
}

/** The finding of a reference that would lose its registry: by nobody's word, for nothing of it would be governed. */
export function lostRegistry({ name, old, next }: ReplacedTip, { isBranch }: { readonly isBranch: boolean }): Finding {
  const what = `${next.slice(0, 10)} has no registry, and ${old.slice(0, 10)} has one`
  return {
    rule: 'history-replaced',
    level: isBranch ? 'block' : 'review',
    path: null,
    message: isBranch ? `${printable(name)} would no longer be governed: ${what}` : `${what}: it is not judged`,
    hint: isBranch
      ? `Push it under another name: \`git push origin ${next.slice(0, 10)}:refs/heads/other\``
      : 'A push that replaces the one by the other is refused: `kotef explain history-replaced`',
  }
}

/** The finding of a history that has nothing in common with the one that it replaces. */
export function otherHistory(tip: ReplacedTip): Finding {
  return replaced(tip, 'block', `has no commit in common with ${tip.old.slice(0, 10)}, which it had`)
}

/** The finding of a change that is dropped, so that the policy allows more again. */
export function policyTakenBack(
  tip: ReplacedTip,
  { path, description }: Pick<GovernanceChange, 'description'> & { readonly path: string },
): Finding {
  const effect = `drops what ${tip.old.slice(0, 10)} had: ${description}, so more is allowed than before`
  return { ...replaced(tip, 'block', effect), path }
}

/** The finding of commits that a default branch would lose, with no effect on its policy. */
export function droppedCommits(tip: ReplacedTip, count: number): Finding {
  return replaced(tip, 'review', `drops ${plural(count, 'commit')} that it had, up to ${tip.old.slice(0, 10)}`)
}

function replaced({ name, old, next, isApproved }: ReplacedTip, level: Finding['level'], effect: string): Finding {
  const own = old.slice(0, 10)
  const isDecided = isApproved || level === 'review'
  return {
    rule: 'history-replaced',
    level: isDecided ? 'review' : level,
    path: null,
    message: `${printable(name)} ${effect}`,
    hint: isApproved
      ? `${next.slice(0, 10)} says that a person replaces it.`
      : level === 'review'
        ? `A person looks at what is dropped: \`git log ${next.slice(0, 10)}..${own}\``
        : `A person says so on top: \`git commit --allow-empty -m 'replace history' -m 'Governance: replaces ${own}'\``,
  }
}

/** The finding of a governed default branch that is to be deleted. */
export function deletedBranch(name: string): Finding {
  return {
    rule: 'history-replaced',
    level: 'block',
    path: null,
    message: `${printable(name)} is the default branch and governed, and is to be deleted`,
    hint: 'Make another branch the default one first, on the server: `git symbolic-ref HEAD refs/heads/other`',
  }
}
