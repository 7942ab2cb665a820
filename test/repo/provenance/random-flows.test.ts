import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { authorshipRepo } from '../../rig/authorship-flows.ts'
import { type Random, randomFrom } from '../../rig/random.ts'

const SEEDS = [1, 2, 3, 4]
// What is told wrong stays so, because no text is written twice: a look after several operations finds it as well.
const STEPS_PER_CHECK = 6

const authored = fixture(() => authorshipRepo(SEEDS.map(it => `seed-${it}`)))

// No text is ever written twice, so each says by itself who wrote it: that is the model.
test.each(SEEDS)('of two authors, every line keeps its own, whatever they and git do: seed %i', async seed => {
  expect(await authored().wrongLinesAfter(`seed-${seed}`, stepsOf(randomFrom(seed)))).toEqual([])
})

function stepsOf(random: Random): string[] {
  let count = 0
  const word = (): string => `w${++count}`
  const edit = (): string => {
    const at = random.below(9) + 1
    const texts = Array.from({ length: random.below(3) + 1 }, word).join(' ')
    return random.pick([`+${at} ${texts}`, `+${at} ${texts}`, `=${at} ${word()}`, `-${at}`, `>${at}`])
  }
  const typed = (): string => `${random.pick(['agent', 'person'])} ${random.pick(['a', 'b', 'c'])} ${edit()}; ${edit()}`
  // Each operation once, in an order that the seed gives.
  return shuffled(OPERATIONS, random).flatMap((operation, n) => {
    const isChecked = n % STEPS_PER_CHECK === STEPS_PER_CHECK - 1
    return [typed(), ...operation.map(it => it.replace('WORD', word)), ...(isChecked ? ['check'] : [])]
  })
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const [left, taken]: [T[], T[]] = [[...items], []]
  while (left.length > 0) taken.push(...left.splice(random.below(left.length), 1))
  return taken
}

// What fails is taken back, as somebody would who meets a conflict that he does not want.
const OPERATIONS: readonly (readonly string[])[] = [
  ['save one'],
  ['git add -A; git commit -q --amend --no-edit --allow-empty'],
  ['if git stash -u | grep -q Saved; then git stash pop -q; fi'],
  ['if git stash -u | grep -q Saved; then git commit -q --allow-empty -m between; git stash pop -q; fi'],
  ['git add a; git commit -qm part || :', 'save rest || :'],
  ['yes n | sed 1s/n/y/ | quietly git add -p . || :; git commit -qm half || :'],
  ['save one', 'git reset -q --soft HEAD^; git commit -q --allow-empty -m again'],
  ['save one', 'git reset -q HEAD^'],
  [
    'save one || :',
    'quietly git revert --no-edit HEAD || git revert --abort',
    'quietly git revert --no-edit HEAD || git revert --abort',
  ],
  ['save one || :', 'quietly git rebase -q --force-rebase HEAD~2 || git rebase --abort'],
  ['save one || :', 'quietly todo 2s/pick/fixup/ HEAD~2 || git rebase --abort'],
  ['save one || :', 'quietly todo "1{h;d};2G" HEAD~2 || git rebase --abort'],
  [
    'save one || :',
    'git switch -qc side HEAD^',
    'agent b +1 WORD',
    'save side',
    'git switch -q main; quietly git merge -q --no-edit side || git merge --abort; git branch -qD side',
  ],
  [
    'save one || :',
    'git switch -qc side HEAD^',
    'person b +1 WORD',
    'save side',
    'git switch -q main; quietly git merge -q --squash side && git commit -qm squashed || git reset -q --hard',
    'git branch -qD side',
  ],
  [
    'save one || :',
    'git switch -qc side HEAD^',
    'person a +1 WORD',
    'save side',
    'quietly git rebase -q main || git rebase --abort',
    'git switch -q main; quietly git merge -q --ff-only side || :; git branch -qD side',
  ],
  [
    'save one || :',
    'quietly git mv a moved || git mv moved a; git commit -qm moved',
    'quietly git mv moved a && git commit -qm back || :',
  ],
]
