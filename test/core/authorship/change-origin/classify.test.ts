import { expect, test } from 'vitest'
import { classify, type OriginVerdict, ROWS } from '../../../../src/core/authorship/change-origin/classify.ts'
import type { OriginFacts } from '../../../../src/core/authorship/change-origin/facts.ts'
import { changed, gone, worlds } from './worlds.ts'

const fresh = { ...changed, contentAge: 'this-epoch' } as const
const old = { ...changed, contentAge: 'before-epoch' } as const
const inCall = { ...old, writtenInCall: true } as const
const created = { existed: false, status: 'untracked' } as const
const unlocked = { writtenUnderIndexLock: false } as const
const merged = { firstBroughtBy: 'either', blobNotYounger: true } as const
const marked = { hasConflictMarks: true, blobNotYounger: true } as const
const lost = { ...gone, gitHadFile: true } as const

test.each<[promise: string, facts: OriginFacts, rule: string]>([
  ['what kotef said that it would write is not recorded', { ...changed, announcedByKotef: true }, 'announced-by-kotef'],
  ['the same content is not a change', { ...changed, differs: false }, 'unchanged'],
  ['no file before and none now is not a change', { ...gone, existed: false, differs: false }, 'unchanged'],
  ['what git ignores is not recorded', { ...changed, ...created, status: 'ignored' }, 'ignored'],
  ['a filter changes bytes, not content', { ...changed, status: 'clean', knownFromIndex: true }, 'filtered'],

  ['what was moved here is a person’s, old as it may be', { ...old, arrivedByMove: true }, 'moved-here'],
  ['what was written without the lock is a person’s', { ...old, ...unlocked, status: 'clean' }, 'written-without-lock'],
  [
    'untracked files come out of a stash without the lock',
    { ...old, ...created, ...unlocked, seenHere: true, inStash: true },
    'popped',
  ],
  ['but not those that the path never had', { ...old, ...created, ...unlocked, inStash: true }, 'written-without-lock'],

  ['what git does not have was typed, even while git works', changed, 'new-to-git'],
  ['and so was a new file', { ...changed, ...created }, 'new-to-git'],
  ['what the path had in this epoch came back', { ...changed, contentAge: 'seen-here' }, 'back-again'],
  ['and so did an untracked file', { ...changed, ...created, contentAge: 'seen-here' }, 'back-again'],
  ['what git checked out is git’s', { ...old, status: 'clean' }, 'restored'],
  ['and so is what it took from another commit', { ...old, status: 'staged' }, 'restored'],
  ['and what it brought back and left unstaged', old, 'restored'],
  ['what an agent’s call staged is its own', { ...inCall, status: 'staged' }, 'staged-in-call'],
  ['and so is what it restored and left unstaged', inCall, 'staged-in-call'],
  ['and a new file', { ...inCall, existed: false, status: 'staged' }, 'staged-in-call'],
  ['and what it committed', { ...inCall, status: 'clean', lastBroughtBy: 'commit' }, 'committed-in-call'],
  ['but not what HEAD has', { ...inCall, status: 'clean' }, 'restored'],
  ['nor what a move of HEAD or a merge brought', { ...inCall, status: 'staged', lastBroughtBy: 'git' }, 'restored'],
  ['nor what the index had already', { ...inCall, status: 'staged', indexStood: true }, 'restored'],
  ['nor what a stash has', { ...inCall, inStash: true }, 'restored'],
  ['nor what a merge puts there that stops', { ...inCall, status: 'staged', isMidOperation: true }, 'restored'],
  ['a new file that a switch brought and a reset left', { ...old, ...created, lastBroughtBy: 'git' }, 'brought-by-git'],
  ['a new file from a stash', { ...old, ...created, inStash: true }, 'from-stash'],
  [
    'a new file that nothing explains, but git tracks',
    { ...old, existed: false, status: 'clean' },
    'new-file-from-git',
  ],
  ['a new file with an old text is a person’s', { ...old, ...created }, 'untracked'],
  [
    'and so is one in a plain commit',
    { ...old, existed: false, status: 'clean', lastBroughtBy: 'commit' },
    'staged-by-hand',
  ],

  ['what is new to git in this epoch was typed', fresh, 'typed-and-staged'],
  ['unless a move of HEAD or a merge brought it', { ...fresh, firstBroughtBy: 'git' }, 'made-by-git'],
  ['whatever the file was before', { ...fresh, firstBroughtBy: 'git', hadConflictMarks: true }, 'made-by-git'],
  ['what a plain commit has was typed', { ...fresh, status: 'clean', firstBroughtBy: 'commit' }, 'typed-and-staged'],
  ['what comes with the end of a merge is git’s', { ...fresh, ...merged }, 'made-in-merge-commit'],
  ['unless it was written before git had it', { ...fresh, firstBroughtBy: 'either' }, 'typed-and-staged'],
  ['or in place of a conflict', { ...fresh, ...merged, hadConflictMarks: true }, 'typed-and-staged'],
  ['the marks of a conflict are git’s', { ...fresh, ...marked }, 'made-with-conflict'],
  ['unless they were written before git had them', { ...fresh, hasConflictMarks: true }, 'typed-and-staged'],
  ['what another worktree committed, git brought', { ...fresh, committedElsewhere: true }, 'committed-elsewhere'],
  [
    'unless an agent’s call may have copied it',
    { ...fresh, committedElsewhere: true, writtenInCall: true },
    'typed-and-staged',
  ],
  [
    'what was put into a stash and never recorded was typed',
    { ...fresh, ...created, inStash: true },
    'typed-and-staged',
  ],
])('%s', (_, facts, rule) => {
  expect(classify(facts)).toMatchObject({ rule })
})

test.each<[promise: string, facts: OriginFacts, rule: string]>([
  ['that the worktree is not to have', { ...lost, leftOutBySparseCheckout: true }, 'sparse-checkout'],
  ['that the index still has is a person’s loss', { ...lost, status: 'dirty' }, 'removed-by-hand'],
  ['unless a switch or a stash removed it', { ...lost, status: 'dirty', removedBy: 'git' }, 'removed-by-switch'],
  ['that went into a stash', { ...gone, takenByStash: true }, 'taken-by-stash'],
  ['that git never had is a person’s loss', gone, 'removed-unknown-to-git'],
  ['that was committed and reverted at once', { ...gone, removedByLastHeadMove: true }, 'removed-before-seen-in-index'],
  ['that a plain commit removes is a person’s loss', { ...lost, removedBy: 'commit' }, 'removed-and-committed'],
  ['that a move of HEAD or a merge removed', { ...lost, status: 'staged', removedBy: 'git' }, 'removed-by-git'],
  ['that the end of a merge removed', { ...lost, removedBy: 'either' }, 'removed-in-merge-commit'],
  ['that is staged as removed is a person’s loss', { ...lost, status: 'staged' }, 'removed'],
  ['and in a merge, too', { ...lost, status: 'staged', removedBy: 'either' }, 'removed'],
  ['that no commit had, as HEAD moves', { ...lost, headMovedByGit: true }, 'removed-as-head-moved'],
  ['that nothing explains is a person’s loss', lost, 'removed'],
])('a file %s', (_, facts, rule) => {
  expect(classify(facts)).toMatchObject({ rule })
})

const all = [...worlds()]

test('every row decides somewhere, and every combination of facts is decided', () => {
  const fired = new Set(all.map(it => verdictOf(it).rule))
  expect([...fired].sort()).toEqual(ROWS.map(it => it.rule).sort())
})

test('without the lock, and of what git does not have, every change is a person’s, but for what a stash had', () => {
  const apart = all.filter(it => it.exists && it.differs && !it.announcedByKotef)
  const persons = apart.filter(it => !it.writtenUnderIndexLock || it.contentAge === 'not-in-git')
  const byGit = new Set(persons.map(verdictOf).flatMap(it => (it.origin === 'git' ? it.rule : [])))
  expect([...byGit]).toEqual(['popped'])
})

test('whatever a plain commit of this worktree did first was done by a person', () => {
  const committed = all.filter(
    it => it.firstBroughtBy === 'commit' && !it.committedElsewhere && it.contentAge === 'this-epoch' && it.exists,
  )
  const judged = committed.filter(it => it.writtenUnderIndexLock).map(verdictOf)
  expect(new Set(judged.flatMap(it => (it.origin === 'git' ? it.rule : [])))).toEqual(new Set(['announced-by-kotef']))
})

test('facts that are asked for one by one lead to the same verdict, and no others are asked for', () => {
  for (const facts of all) {
    const { existed, exists, differs, status, knownFromIndex } = facts
    let known: Partial<OriginFacts> = { existed, exists, differs, status, knownFromIndex }
    let answer = classify(known)
    while ('need' in answer) {
      if (known[answer.need] !== undefined) throw new Error(`${answer.need} is asked for twice.`)
      if (exists === ABOUT_GONE.has(answer.need)) throw new Error(`${answer.need} is asked of another file.`)
      known = { ...known, [answer.need]: facts[answer.need] }
      answer = classify(known)
    }
    if (answer.rule !== verdictOf(facts).rule) throw new Error(`${answer.rule} is decided too early.`)
  }
})

const ABOUT_GONE: ReadonlySet<string> = new Set([
  'leftOutBySparseCheckout',
  'takenByStash',
  'gitHadFile',
  'removedByLastHeadMove',
  'removedBy',
  'headMovedByGit',
])

test('what costs most is asked of few: an edit that no git command was near costs three questions', () => {
  const asked: string[] = []
  let known: Partial<OriginFacts> = {
    existed: true,
    exists: true,
    differs: true,
    status: 'dirty',
    knownFromIndex: true,
  }
  for (let it = classify(known); 'need' in it; it = classify(known)) {
    asked.push(it.need)
    known = { ...known, [it.need]: false }
  }
  expect(asked).toEqual(['announcedByKotef', 'arrivedByMove', 'writtenUnderIndexLock'])
})

function verdictOf(facts: OriginFacts): OriginVerdict {
  const verdict = classify(facts)
  if ('need' in verdict) throw new Error(`${verdict.need} is missing.`)
  return verdict
}
