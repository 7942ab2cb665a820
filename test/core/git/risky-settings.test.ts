import { expect, test } from 'vitest'
import { namesRefs, riskySettings, runsProgram, switchesHooks } from '../../../src/core/git/risky-settings.ts'

test.each([
  ['core.hooksPath', 'hooks'],
  ['CORE.HOOKSPATH=x', 'hooks'],
  ['hook.kotef-pre-commit.enabled=false', 'hooks'],
  ['hook.pre-commit.event', 'hooks'],
  ['hook.jobs', 'hooks'],
  ['hook.x.parallel', 'hooks'],
  ['include.path', 'hooks'],
  ['includeIf.gitdir:~/x.path', 'hooks'],
  ['kotef.x', 'hooks'],
  ['core.fsmonitor', 'program'],
  ['alias.c', 'program'],
  ['merge.x.driver', 'program'],
  ['remote.o.uploadpack', 'program'],
  ['core.notesRef', 'refs'],
  ['remote.o.fetch', 'refs'],
  ['remote.o.mirror', 'refs'],
  ['user.name', 'nothing'],
  ['hooks', 'nothing'],
  ['webhook.url', 'nothing'],
  ['includes', 'nothing'],
  ['color.ui', 'nothing'],
  ['notes.displayRef', 'nothing'],
  ['remote.o.url', 'nothing'],
])('%s: %s', (setting, effect) => {
  const found = { hooks: switchesHooks(setting), program: runsProgram(setting), refs: namesRefs(setting) }
  const effects = Object.entries(found).flatMap(([name, is]) => (is ? [name] : []))
  expect(effects).toEqual(effect === 'nothing' ? [] : [effect])
})

test('the settings of files that switch hooks are listed, and no others', () => {
  const entries = [
    ...[
      'local',
      'hook.kotef-pre-commit.enabled\nfalse',
      'local',
      'hook.x.event\npre-commit',
      'local',
      'hook.x.event\nupdate',
    ],
    ...[
      'command',
      'core.hookspath\nx',
      'global',
      'user.name\nAnn',
      'global',
      'alias.c\ncommit -n',
      'local',
      'hook.x.enabled',
    ],
  ]
  expect([...riskySettings.parse(`${entries.join('\0')}\0`)]).toEqual([
    ['local hook.kotef-pre-commit.enabled', 'false'],
    ['local hook.x.event', 'pre-commit\nupdate'],
    ['global alias.c', 'commit -n'],
    ['local hook.x.enabled', ''],
  ])
})
