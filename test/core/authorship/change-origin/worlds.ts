import type { OriginFacts } from '../../../../src/core/authorship/change-origin/facts.ts'

const unasked = {
  announcedByKotef: false,
  arrivedByMove: false,
  writtenUnderIndexLock: true,
  seenHere: false,
  contentAge: 'not-in-git',
  writtenInCall: false,
  indexStood: false,
  isMidOperation: false,
  lastBroughtBy: 'nothing',
  firstBroughtBy: 'nothing',
  inStash: false,
  blobNotYounger: false,
  hadConflictMarks: false,
  hasConflictMarks: false,
  committedElsewhere: false,
  leftOutBySparseCheckout: false,
  takenByStash: false,
  gitHadFile: false,
  removedByLastHeadMove: false,
  removedBy: 'nothing',
  headMovedByGit: false,
} as const

/** A tracked file that was changed while git was at work, to a content that git does not have. */
export const changed: OriginFacts = {
  ...unasked,
  existed: true,
  exists: true,
  differs: true,
  status: 'dirty',
  knownFromIndex: false,
}

/** A file that is gone, and that git never had. */
export const gone: OriginFacts = { ...changed, exists: false, status: 'clean' }

/** Every combination of facts that there can be. No row reads both of the last and the first source: they are alike. */
export function* worlds(): Generator<OriginFacts> {
  for (const { status, existed, knownFromIndex } of combined(changed, GIVEN)) {
    const given = { ...changed, status, existed, knownFromIndex: knownFromIndex && existed }
    if (knownFromIndex && !existed) continue
    yield { ...given, exists: existed, differs: false }
    for (const found of combined(given, PRESENT)) {
      const facts = { ...found, lastBroughtBy: found.firstBroughtBy }
      yield facts
      if (facts.contentAge === 'before-epoch') yield* combined({ ...facts, writtenInCall: true }, IN_CALL)
    }
    if (existed) yield* combined({ ...given, exists: false }, GONE)
  }
}

type Choices = { readonly [F in keyof OriginFacts]?: readonly OriginFacts[F][] }

const BOTH = [true, false] as const
const SOURCES = ['git', 'commit', 'either', 'nothing'] as const

const GIVEN: Choices = {
  status: ['clean', 'staged', 'dirty', 'untracked', 'ignored'],
  existed: BOTH,
  knownFromIndex: BOTH,
}

const IN_CALL: Choices = { indexStood: BOTH, isMidOperation: BOTH }

const PRESENT: Choices = {
  announcedByKotef: BOTH,
  arrivedByMove: BOTH,
  writtenUnderIndexLock: BOTH,
  seenHere: BOTH,
  contentAge: ['not-in-git', 'seen-here', 'before-epoch', 'this-epoch'],
  firstBroughtBy: SOURCES,
  inStash: BOTH,
  blobNotYounger: BOTH,
  hadConflictMarks: BOTH,
  hasConflictMarks: BOTH,
  committedElsewhere: BOTH,
}

const GONE: Choices = {
  leftOutBySparseCheckout: BOTH,
  takenByStash: BOTH,
  gitHadFile: BOTH,
  removedByLastHeadMove: BOTH,
  removedBy: SOURCES,
  headMovedByGit: BOTH,
}

function combined(base: OriginFacts, choices: Choices): OriginFacts[] {
  let worlds = [base]
  for (const [fact, values] of Object.entries(choices))
    worlds = worlds.flatMap(world => values.map(value => ({ ...world, [fact]: value })))
  return worlds
}
