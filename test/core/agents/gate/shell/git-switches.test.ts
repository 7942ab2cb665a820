import { expect, test } from 'vitest'
import { governanceSwitches, settingSwitch } from '../../../../../src/core/agents/gate/shell/git-switches.ts'
import { argsOf } from './effects-fixture.ts'

test.each<[line: string, switches: readonly string[]]>([
  ['git config hook.x.enabled false', ['hook.x.enabled']],
  ['git config CORE.HooksPath x', ['core.hooksPath']],
  ['git config --remove-section hook.x', ['hook.x']],
  ['git config --remove-section branch.x', []],
  ['git config user.name x', []],
  ['git history drop HEAD', ['a commit that passes no hook']],
  ['git refs list', []],
  ['git reflog show', []],
  ['git reflog expire --all', ["git's record of its moves"]],
  ['git replace -l', []],
  ['git push origin main', []],
  ['git commit -n -m x', ['git without its hooks']],
])('%s: %j', (line, switches) => {
  const [verb, ...rest] = argsOf(line)
  expect(governanceSwitches(verb?.text ?? '', rest, true)).toEqual(switches)
})

test.each([
  ['hook.x.command=evil', 'hook.x.command'],
  ['core.hookspath=', 'core.hooksPath'],
  ['remote.o.mirror', "kotef's refs"],
  ['remote.o.mirror=false', null],
  ['alias.c=commit -n', 'an alias that skips the hooks'],
  ['color.ui=false', null],
])('the setting %s: %s', (setting, what) => {
  expect(settingSwitch(setting)).toBe(what)
})
