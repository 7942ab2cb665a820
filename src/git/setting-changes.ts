import { printable, shellQuoted } from '../text/printable.ts'

/** What makes git run programs, or not see what is written; by `config <scope> <name>`, `flag <path>`, or a file. */
export type GitSettings = Readonly<Record<string, string>>

/** The files of settings that are kept apart from git's config, with their paths and those of their saved copies. */
export type SettingFiles = Readonly<Record<SettingFile, { readonly path: string; readonly saved: string }>>

/** The lists of what git ignores, of the clone and of its user, and the clone's own attributes. */
export type SettingFile = 'exclude' | 'personal-exclude' | 'attributes'

/** A setting that is another than it was, and the command that puts it back. */
export type SettingChange = {
  readonly key: string
  /** The file that has the flag; null for a setting. */
  readonly path: string | null
  readonly message: string
  readonly undo: string
}

/** How settings differ from those that a person chose, in the order of their keys. */
export function settingChanges(trusted: GitSettings, now: GitSettings, files: SettingFiles): SettingChange[] {
  const keys = [...new Set([...Object.keys(trusted), ...Object.keys(now)])].sort()
  const changed = keys.filter(it => (trusted[it] ?? '') !== (now[it] ?? ''))
  const isMoved = changed.some(it => /^config \w+ core\.excludesfile$/.test(it))
  return changed
    .filter(it => !(isMoved && it === 'personal-exclude'))
    .map(key => ({ key, ...changeOf(key, { before: trusted[key], after: now[key], files }) }))
}

type Values = { readonly before: string | undefined; readonly after: string | undefined; readonly files: SettingFiles }

function changeOf(key: string, { before, after, files }: Values): Omit<SettingChange, 'key'> {
  const [, scope = '', name] = /^config (\w+) ([^]*)$/.exec(key) ?? []
  if (name !== undefined) {
    const words = after === undefined ? 'is removed' : `is ${printable(after)}`
    const option = before === undefined ? '--unset-all' : '--replace-all'
    const value = before === undefined ? '' : ` ${shellQuoted(before)}`
    const undo = `git config --${scope} ${option} ${shellQuoted(name)}${value}`
    return { path: null, message: `git's setting ${printable(name)} ${words}`, undo }
  }
  const [, path] = /^flag ([^]*)$/.exec(key) ?? []
  if (path !== undefined) {
    const [word, no, flag] = after === undefined ? ['is no longer', '', before] : ['is', 'no-', after]
    const undo = `git update-index --${no}${flag} -- ${shellQuoted(path)}`
    return { path, message: `${printable(path)} ${word} ${flag} in the index`, undo }
  }
  const file = files[key as SettingFile]
  const undo = `cp ${shellQuoted(file.saved)} ${shellQuoted(file.path)}`
  return { path: null, message: `${printable(file.path)} has other lines`, undo }
}

/** What git does not show: changed files, new ones, or other content that a filter makes equal. */
export type Hidden = { readonly changed: boolean; readonly created: boolean; readonly content: boolean }

/** What changes of settings keep git's status from seeing. */
export function hiddenBy(changes: readonly SettingChange[]): Hidden {
  const isAny = (names: RegExp): boolean => changes.some(it => names.test(it.key))
  return {
    changed: isAny(/^config \w+ core\.(?:trustctime|checkstat|fsmonitor)$/),
    created: isAny(/^(?:personal-)?exclude$|^config \w+ core\.excludesfile$/),
    content: isAny(CLEANING),
  }
}

const CLEANING = /^attributes$|^config \w+ (?:filter\.[^]*|core\.attributesfile)$/

/** Options with which git cleans content as before some changes; null for a change that no option undoes. */
export function cleaningBefore(changes: readonly SettingChange[], trusted: GitSettings): string[] | null {
  const cleaning = changes.filter(it => CLEANING.test(it.key))
  if (cleaning.some(it => it.key === 'attributes')) return null
  return cleaning.flatMap(({ key }) => {
    const name = key.replace(/^config \w+ /, '')
    return ['-c', `${name}=${trusted[key]?.split('\n').at(-1) ?? ''}`]
  })
}
