import { expect, test } from 'vitest'
import { whyNeeded, whySpecial } from '../../../../../src/core/agents/gate/shell/special-variables.ts'

test.each<[names: string, why: string]>([
  ['PATH path cdpath CDPATH MANPATH PYTHONPATH NLSPATH', 'found by it'],
  ['HOME ZDOTDIR XDG_CONFIG_HOME', 'settings'],
  ['ENV BASH_ENV', 'runs the file'],
  ['SHELLOPTS BASHOPTS', 'reads'],
  ['IFS', 'makes words'],
  ['PS4 PROMPT_COMMAND precmd_functions', 'runs its value'],
  ['LD_PRELOAD DYLD_INSERT_LIBRARIES', 'loaded'],
  ['SECONDS RANDOM COLUMNS OPTIND', 'computes'],
  ['NODE_OPTIONS PYTHONSTARTUP PERL5OPT RUBYOPT JAVA_TOOL_OPTIONS _JAVA_OPTIONS', 'interpreter'],
  ['PAGER MANPAGER GIT_PAGER EDITOR VISUAL LESSOPEN', 'pages or edits'],
  ['GIT_DIR GIT_SSH_COMMAND', 'git'],
])('%s are special: %s', (names, why) => {
  for (const name of names.split(' ')) expect(whySpecial(name), name).toContain(why)
})

test.each(['a', 'file', 'BASE_BRANCH', 'COUNT', 'LC_ALL', 'path_of_x'])('%s is a variable of the script', name => {
  expect(whySpecial(name)).toBeNull()
})

test('a variable is only missed when programs have no default of their own', () => {
  expect(['HOME', 'PATH', 'GIT_DIR', 'LD_PRELOAD'].map(whyNeeded)).not.toContain(null)
  expect(['NODE_OPTIONS', 'PAGER', 'IFS', 'a'].map(whyNeeded)).toEqual([null, null, null, null])
})
