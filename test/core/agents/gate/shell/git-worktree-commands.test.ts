import { expect, test } from 'vitest'
import { WORKTREE_COMMANDS } from '../../../../../src/core/agents/gate/shell/git-worktree-commands.ts'
import { argsOf, programOf, shownEffects } from './effects-fixture.ts'

const effectsOf = (line: string) => WORKTREE_COMMANDS.get(programOf(line))?.(argsOf(line)) ?? null

test.each<[line: string, effects: readonly string[] | null]>([
  ['rm -r a', ['write tree a']],
  ['rm --pathspec-from-file=x', null],
  ['mv a b c', ['write tree a', 'write tree b', 'write c/{a,b}']],
  ['restore a', ['write tree a']],
  ['restore -s HEAD~1 a', ['write tree a', 'opaque']],
  ['restore :/', null],
  ['clone x a', ['write tree a', 'opaque']],
  ['clone https://h/d/x.git', ['write tree x', 'opaque']],
  ['clone -c x=y a', null],
  ['init a', ['write tree a', 'opaque']],
  ['init', ['write tree .', 'opaque']],
  ['checkout -- a b', ['write tree a', 'write tree b']],
  ['checkout HEAD -- a', ['write tree a', 'opaque']],
  ['checkout main', ['write maybe tree main', 'opaque']],
  ['checkout .', ['opaque']],
  ['checkout -', ['opaque']],
  ['checkout HEAD~1', ['opaque']],
  ['checkout a.ts', ['write maybe tree a.ts', 'opaque']],
  ['checkout main a', ['write maybe tree main', 'write tree a', 'opaque']],
  ['checkout -b x', null],
  ['clean -n', []],
  ['clean -fd a', ['write tree a']],
  ['clean -fd', null],
])('git %s: %j', (line, effects) => {
  expect(shownEffects(effectsOf(line))).toEqual(effects)
})

test.each<[line: string, effects: readonly string[] | null]>([
  ['rm --cached -r a', ['record']],
  ['restore --staged .', ['record']],
  ['restore -S -q a', ['record']],
  ['restore --staged --source=HEAD~1 a', ['record']],
  ['restore --staged --worktree a', ['write tree a']],
  ['restore -SW a', ['write tree a']],
  ['reset', ['record']],
  ['reset -q HEAD', ['record']],
  ['reset a b', ['record']],
  ['reset -- a', ['record']],
  ['reset HEAD~1 -- a', ['record']],
  ['reset HEAD~1', null],
  ['reset HEAD~1 --', null],
  ['reset a', null],
  ['reset --hard', null],
  ['reset --keep HEAD', null],
  ['reset --soft HEAD~1', null],
])('what touches the index alone writes no file: git %s: %j (solo A7)', (line, effects) => {
  expect(shownEffects(effectsOf(line))).toEqual(effects)
})

test('no other command of git names the files that it changes', () => {
  expect([...WORKTREE_COMMANDS.keys()]).toEqual(['rm', 'reset', 'mv', 'restore', 'checkout', 'clone', 'init', 'clean'])
})
