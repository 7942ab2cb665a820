import type { GitQuery } from './query.ts'

/** What a setting of git changes: who judges, what git runs or sees, or where notes and references are written. */
type SettingEffect = 'hooks' | 'program' | 'refs'

type SettingRow = readonly [effect: SettingEffect, name: string, source: string]

/**
 * The settings of git that matter to kotef, by their names as git prints them. `refs`: only some values of them matter.
 * The source is the page of git's manual, or kotef's own, that describes the setting.
 */
const SETTINGS: readonly SettingRow[] = [
  ['hooks', 'core\\.hookspath', 'git-config, core.hooksPath'],
  ['hooks', 'hook\\..+', 'git-config, hook.<name>.command, .event, .enabled, .parallel; hook.<event>.enabled, .jobs'],
  ['hooks', 'hook\\.jobs', 'git-config, hook.jobs'],
  ['hooks', 'include\\..+|includeif\\..+', 'git-config, Includes'],
  ['hooks', 'kotef\\..+', 'docs/installation.md'],
  ['program', 'core\\.(?:excludesfile|attributesfile|worktree|trustctime|checkstat|ignorestat)', 'git-config, core.*'],
  ['program', 'core\\.(?:fsmonitor|untrackedcache)', 'git-update-index, File System Monitor'],
  ['program', 'core\\.(?:pager|editor|sshcommand|askpass|gitproxy|alternaterefscommand)', 'git-config, core.*'],
  ['program', '(?:alias|pager|protocol)\\..+', 'git-config, alias.*, pager.<cmd>, protocol.*'],
  ['program', 'diff\\.external|sequence\\.editor|init\\.templatedir', 'git-config'],
  [
    'program',
    '(?!color)\\S+\\.\\w*(?:textconv|command|cmd|driver|clean|smudge|process|helper|program|hook)',
    'gitattributes, diff and merge drivers, filters; git-config, credential.helper, gpg.program',
  ],
  ['program', '\\S+\\.(?:uploadpack|receivepack|vcs|difffilter)', 'git-config, remote.<name>.uploadpack, .vcs'],
  ['refs', 'core\\.notesref', 'git-notes, CONFIGURATION'],
  ['refs', 'remote\\..+\\.(?:fetch|push)', 'git-config, remote.<name>.fetch, remote.<name>.push'],
  ['refs', 'remote\\..+\\.mirror', 'git-config, remote.<name>.mirror'],
]

const namesOf = (effect: SettingEffect): string =>
  SETTINGS.filter(it => it[0] === effect)
    .map(([, name]) => name)
    .join('|')

// A name stands alone, or before the value that it gets.
const rowsMatching = (effect: SettingEffect): RegExp => new RegExp(`^(?:${namesOf(effect)})(?:=|$)`, 'i')

const HOOK_SETTINGS = rowsMatching('hooks')
const PROGRAM_SETTINGS = rowsMatching('program')
const REF_SETTINGS = rowsMatching('refs')

/** True for a setting (`name` or `name=value`) by which git finds other hooks, or none, or reads settings elsewhere. */
export function switchesHooks(setting: string): boolean {
  return HOOK_SETTINGS.test(setting)
}

/** True for a setting by which git runs a program later, in a command that seems to read, or misses changes. */
export function runsProgram(setting: string): boolean {
  return PROGRAM_SETTINGS.test(setting)
}

/** True for a setting that names the references which a later command writes. */
export function namesRefs(setting: string): boolean {
  return REF_SETTINGS.test(setting)
}

/** True for a section of git's config in which there may be such a setting, by the name without that of the setting. */
export function isRiskySection(section: string): boolean {
  return /^(?:core|hook|include|includeif|kotef|alias|pager|diff|merge|filter|credential|sequence)(?:\.|$)/i.test(
    section,
  )
}

/** Such settings of a clone, of its user and of the system, by `<scope> <name>`; several values of one are lines. */
export const riskySettings: GitQuery<ReadonlyMap<string, string>> = {
  args: ['config', '--list', '--show-scope', '-z'],
  parse: out => {
    const words = out.split('\0')
    const found = new Map<string, string>()
    for (let n = 0; n + 1 < words.length; n += 2) {
      const [, name = '', value = ''] = /^([^\n]*)\n?([^]*)$/.exec(words[n + 1] ?? '') ?? []
      const key = `${words[n]} ${name}`
      const isRisky = switchesHooks(name) || runsProgram(name)
      if (isRisky && FILE_SCOPES.test(key)) found.set(key, [found.get(key) ?? [], value].flat().join('\n'))
    }
    return found
  },
}

// Not what the caller's environment and command line set.
const FILE_SCOPES = /^(?:local|worktree|global|system) /
