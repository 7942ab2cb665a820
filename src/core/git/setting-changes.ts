import { printable, shellQuoted } from '../base/printable.ts'

/** What makes git run programs, or not see what is written; by `config <scope> <name>`, `flag <path>`, or a file. */
export type GitSettings = Readonly<Record<string, string>>

/** The files of settings that are kept apart from git's config, with their paths and those of their saved copies. */
export type SettingFiles = Readonly<Record<SettingFile, { readonly path: string; readonly saved: string }>>

/** The lists of what git ignores, and the attributes, of the clone and of its user. */
export type SettingFile = 'exclude' | 'personal-exclude' | 'attributes' | 'personal-attributes'

/** A setting that is another than it was, and the command that puts it back. */
export type SettingChange = {
  readonly key: string
  /** The file that has the flag; null for a setting. */
  readonly path: string | null
  readonly message: string
  readonly undo: string
  /** Git takes the same value as before, since another scope has it or had it. */
  readonly isMoot: boolean
}

/** How settings differ from those that a person chose, in the order of their keys. */
export function settingChanges(trusted: GitSettings, now: GitSettings, files: SettingFiles): SettingChange[] {
  const keys = [...new Set([...Object.keys(trusted), ...Object.keys(now)])].sort()
  // No user's program writes the settings of the system.
  const changed = keys.filter(it => (trusted[it] ?? '') !== (now[it] ?? '') && !it.startsWith('config system '))
  const isSame = (name: string): boolean => valueOf(trusted, name) === valueOf(now, name)
  return changed
    .filter(it => isSame(NAMED_BY[it] ?? ''))
    .map(key => ({
      key,
      isMoot: key.startsWith('config ') && isSame(nameOf(key)),
      ...changeOf(key, { before: trusted[key], after: now[key], files }),
    }))
}

// Where a setting names another file, that is the change.
const NAMED_BY: Readonly<Record<string, string>> = {
  'personal-exclude': 'core.excludesfile',
  'personal-attributes': 'core.attributesfile',
}

const nameOf = (key: string): string => key.replace(/^config \w+ /, '')

/** What git takes for a setting: the scope that counts most has it. */
function valueOf(settings: GitSettings, name: string): string | undefined {
  return SCOPES.map(it => settings[`config ${it} ${name}`]).find(it => it !== undefined)
}

const SCOPES = ['worktree', 'local', 'global', 'system']

type Values = { readonly before: string | undefined; readonly after: string | undefined; readonly files: SettingFiles }

function changeOf(key: string, { before, after, files }: Values): Omit<SettingChange, 'key' | 'isMoot'> {
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
  const isAny = (names: RegExp): boolean => changes.some(it => !it.isMoot && names.test(it.key))
  return {
    changed: isAny(/^config \w+ core\.(?:trustctime|checkstat|fsmonitor)$/),
    created: isAny(/^(?:personal-)?exclude$|^config \w+ core\.excludesfile$/),
    content: isAny(CLEANING),
  }
}

const CLEANING = /^(?:personal-)?attributes$|^config \w+ (?:filter\.[^]*|core\.attributesfile)$/

/** Options of git, and the variables of the environment that they name. */
export type CleaningOptions = { readonly options: readonly string[]; readonly env: Readonly<Record<string, string>> }

type Trusted = { readonly trusted: GitSettings; readonly savedAttributes: string }

/** How git cleans content as before some changes; null for a change that no option undoes. */
export function cleaningBefore(
  changes: readonly SettingChange[],
  { trusted, savedAttributes }: Trusted,
): CleaningOptions | null {
  const keys = changes.filter(it => !it.isMoot && CLEANING.test(it.key)).map(it => it.key)
  if (keys.includes('attributes')) return null
  const names = [...new Set(keys.map(it => NAMED_BY[it] ?? nameOf(it)))]
  const values = names.map(it =>
    it === 'core.attributesfile' ? savedAttributes : (valueOf(trusted, it)?.split('\n').at(-1) ?? ''),
  )
  return {
    // The name of a filter may have a `=`, at which `git -c` would end it.
    options: names.map((it, n) => `--config-env=${it}=KOTEF_SETTING_${n}`),
    env: Object.fromEntries(values.map((it, n) => [`KOTEF_SETTING_${n}`, it])),
  }
}

/** The lines of a file of settings that git reads: no empty ones, and no comments. */
export function settingLines(text: string): string[] {
  return text.split('\n').filter(it => it.trim() !== '' && !it.startsWith('#'))
}

/** A file of settings with these lines instead of its own, and with its comments; a line that stays keeps its place. */
export function withLines(text: string, lines: readonly string[]): string {
  const wanted = settingLines(lines.join('\n'))
  const own = text.split('\n')
  const kept = own.filter(it => settingLines(it).length === 0 || wanted.includes(it))
  while (kept.at(-1) === '') kept.pop()
  return [...kept, ...wanted.filter(it => !own.includes(it)), ''].join('\n')
}
