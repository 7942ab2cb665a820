import type { GitQuery } from './query.ts'

/** The names of settings by which git finds other hooks, or settings elsewhere. */
export const GOVERNANCE_SETTINGS = /^(?:core\.hookspath|include(?:if)?\b|kotef\.)/i

const PROGRAM_SETTING_NAMES = [
  'core\\.(?:excludesfile|attributesfile|fsmonitor|worktree|pager|editor|sshcommand|askpass|gitproxy|trustctime)',
  'core\\.(?:checkstat|ignorestat|untrackedcache|alternaterefscommand)',
  ...['alias\\.', 'pager\\.', 'protocol\\.', 'diff\\.external', 'sequence\\.editor', 'init\\.templatedir'],
  '(?!color)\\S+\\.\\w*(?:textconv|command|cmd|driver|clean|smudge|process|helper|program|hook)(?:=|$)',
  '\\S+\\.(?:uploadpack|receivepack|vcs|diffFilter)(?:=|$)',
]
/** By these git runs a program later, in a command that seems to read, or does not see what has changed. */
export const PROGRAM_SETTINGS = new RegExp(`^(?:${PROGRAM_SETTING_NAMES.join('|')})`, 'i')

/** Such settings of a clone, of its user and of the system, by `<scope> <name>`; several values of one are lines. */
export const riskySettings: GitQuery<ReadonlyMap<string, string>> = {
  args: ['config', '--list', '--show-scope', '-z'],
  parse: out => {
    const words = out.split('\0')
    const found = new Map<string, string>()
    for (let n = 0; n + 1 < words.length; n += 2) {
      const [, name = '', value = ''] = /^([^\n]*)\n?([^]*)$/.exec(words[n + 1] ?? '') ?? []
      const key = `${words[n]} ${name}`
      const isRisky = GOVERNANCE_SETTINGS.test(name) || PROGRAM_SETTINGS.test(name)
      if (isRisky && FILE_SCOPES.test(key)) found.set(key, [found.get(key) ?? [], value].flat().join('\n'))
    }
    return found
  },
}

// Not what the caller's environment and command line set.
const FILE_SCOPES = /^(?:local|worktree|global|system) /
