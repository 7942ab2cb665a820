import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { hasReportedCalls } from '../agent-activity/file-versions.ts'
import { readWindows } from '../agent-activity/windows.ts'
import { isIdleAt } from '../../../core/authorship/tool-window.ts'
import type { GitIndex } from '../../../core/git/index-entries.ts'
import { riskySettings } from '../../../core/git/risky-settings.ts'
import {
  type GitSettings,
  type SettingChange,
  settingChanges,
  settingLines,
  type SettingFile,
  type SettingFiles,
  withLines,
} from '../../../core/git/setting-changes.ts'
import { readRegularFile } from '../../io/files/regular-file.ts'
import type { Session } from '../../../core/intents/session.ts'
import type { RecordDraft, TraceRecord } from '../../../core/ledger/record.ts'
import { appendRecords } from '../../ledger/append-records.ts'
import { OWN_EXCLUDES } from '../../../core/base/governance-files.ts'
import { liveSessions } from '../../intents/sessions/live-sessions.ts'
import { savedSettingPath } from '../../io/worktree/layout.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { unwatchedByGit } from './flagged-files.ts'
import type { RecorderContext } from './recorder-context.ts'
import type { WorktreeState } from './worktree-state.ts'
import type { PersonalFiles } from './settings-state.ts'

/** Looks at git's settings, and records each change that an agent may have made. Returns the records. */
export async function recordSettingChanges({ workspace, state, head }: RecorderContext): Promise<TraceRecord[]> {
  await followSettings(workspace, state)
  const unreported = state.settings?.unreported ?? []
  if (!state.settings || unreported.length === 0) return []
  const drafts = unreported.map(({ path, message, intent }): RecordDraft => {
    return { event: { event: 'violation', rule: 'git-settings', path, intent, message } }
  })
  const records = await appendRecords(workspace, drafts, { head: await head() })
  state.settings = { ...state.settings, unreported: [] }
  state.revision++
  return records
}

/**
 * Finds out which settings of git have changed. What a person changes counts at once: while no agent has a session, or
 * while each of them reports its calls and none runs. Other changes do not hide anything from kotef.
 */
export async function followSettings(workspace: Workspace, state: WorktreeState): Promise<void> {
  const known = state.settings
  const flags = await flagsOf(workspace, state.index)
  const signature = settingsSignature(workspace, known?.personal, flags)
  if (known && known.signature === signature) return
  const { settings, personal } = await gatherSettings(workspace, flags)
  const seen = { signature: settingsSignature(workspace, personal, flags), personal }
  state.revision++
  const agents = (await liveSessions(workspace)).filter(it => it.kind === 'agent')
  const [first] = agents
  if (!known || !first) {
    state.settings = { ...seen, trusted: settings, standing: [], unreported: [] }
    return saveFiles(workspace, personal)
  }
  const changes = settingChanges(known.trusted, settings, settingFiles(workspace, personal))
  const fresh = changes.filter(it => !known.standing.some(old => old.key === it.key && old.message === it.message))
  const own = await personsOwn(workspace, fresh, { agents, personal })
  const trusted = withOwn(known.trusted, settings, own)
  const unreported = fresh.filter(it => !own.includes(it)).map(it => ({ ...it, intent: first.intent }))
  const standing = changes.filter(it => !own.includes(it))
  await (standing.length > 0 ? saveTrusted(workspace, trusted, personal) : saveFiles(workspace, personal))
  state.settings = { ...seen, trusted, standing, unreported: [...known.unreported, ...unreported], looksDue: LOOKS_DUE }
}

function withOwn(trusted: GitSettings, now: GitSettings, own: readonly SettingChange[]): GitSettings {
  const keys = new Set(own.map(it => it.key))
  const chosen = Object.entries(now).filter(([key]) => keys.has(key))
  return Object.fromEntries([...Object.entries(trusted).filter(([key]) => !keys.has(key)), ...chosen])
}

// What the first look finds is inspected before the second one.
const LOOKS_DUE = 2

/** The changes of settings that stand now, by the state of the last look. */
export async function standingChanges(workspace: Workspace, state: WorktreeState): Promise<readonly SettingChange[]> {
  const flags = await flagsOf(workspace, state.index)
  if (!state.settings || state.settings.standing.length === 0) return []
  const { settings, personal } = await gatherSettings(workspace, flags)
  return settingChanges(state.settings.trusted, settings, settingFiles(workspace, personal))
}

type Agents = { readonly agents: readonly Session[]; readonly personal: PersonalFiles }

async function personsOwn(
  workspace: Workspace,
  changes: readonly SettingChange[],
  { agents, personal }: Agents,
): Promise<SettingChange[]> {
  if (changes.length === 0 || !(await allReport(workspace, agents))) return []
  const windows = await readWindows(workspace)
  const isOwn = ({ key }: SettingChange): boolean => {
    const stats = sourcesOf(workspace, key, personal).map(it => statSync(it, { throwIfNoEntry: false }))
    const times = stats.flatMap(it => it?.ctimeMs ?? [])
    return times.length > 0 && isIdleAt(windows, Math.max(...times))
  }
  return changes.filter(isOwn)
}

/** The files that a setting may stand in. */
function sourcesOf(workspace: Workspace, key: string, personal: PersonalFiles): string[] {
  const { gitDir, commonDir } = workspace
  if (key.startsWith('flag ')) return [join(gitDir, 'index')]
  if (key.startsWith('config global ')) return usersConfigs()
  if (key.startsWith('config worktree ')) return [join(gitDir, 'config.worktree')]
  if (key.startsWith('config ')) return [join(commonDir, 'config')]
  const file = settingFiles(workspace, personal)[key as SettingFile]
  return [file.path]
}

/** Whether each agent reports its calls: one without hooks can write at any time. */
export async function allReport(workspace: Workspace, agents: readonly Session[]): Promise<boolean> {
  const reports = agents.map(async it => !it.declared && (await hasReportedCalls(workspace, it.id)))
  return (await Promise.all(reports)).every(Boolean)
}

const flagged = new WeakMap<GitIndex, Promise<GitSettings>>()

function flagsOf(workspace: Workspace, index: GitIndex): Promise<GitSettings> {
  const known = flagged.get(index)
  if (known) return known
  const flags = unwatchedByGit(workspace, { index }).then(paths =>
    Object.fromEntries(paths.slice(0, FLAGS_MAX).map(it => [`flag ${it}`, index.flagOf(it) ?? ''])),
  )
  flagged.set(index, flags)
  return flags
}

const FLAGS_MAX = 1_000

// Before each batch: eight files are looked at sooner than the event loop comes round.
function settingsSignature(workspace: Workspace, personal: PersonalFiles | undefined, flags: GitSettings): string {
  const stats = settingPaths(workspace, personal).map(it => {
    const found = statSync(it, { throwIfNoEntry: false })
    return found ? [found.ino, found.size, found.mtimeMs, found.ctimeMs] : null
  })
  return JSON.stringify([stats, flags])
}

function settingPaths({ gitDir, commonDir }: Workspace, personal: PersonalFiles | undefined): string[] {
  const own = [join(commonDir, 'config'), join(gitDir, 'config.worktree'), join(commonDir, 'info/exclude')]
  return [
    ...own,
    join(commonDir, 'info/attributes'),
    ...usersConfigs(),
    ...(personal ? [personal.excludes, personal.attributes] : []),
  ]
}

function usersConfigs(): string[] {
  const user = process.env['GIT_CONFIG_GLOBAL']
  return user === undefined ? [join(homedir(), '.gitconfig'), join(configHome(), 'git/config')] : [user]
}

function configHome(): string {
  return process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config')
}

async function gatherSettings(workspace: Workspace, flags: GitSettings) {
  const config = (await workspace.git.tryAsk(riskySettings)) ?? new Map<string, string>()
  const personal = {
    excludes: personalFile(workspace, config, { setting: 'core.excludesfile', name: 'ignore' }),
    attributes: personalFile(workspace, config, { setting: 'core.attributesfile', name: 'attributes' }),
  }
  const files = settingFiles(workspace, personal)
  const settings: GitSettings = {
    ...Object.fromEntries([...config].map(([name, value]) => [`config ${name}`, value])),
    exclude: (await linesOf(files.exclude.path)).filter(it => !OWN_EXCLUDES.includes(it)).join('\n'),
    'personal-exclude': (await linesOf(personal.excludes)).join('\n'),
    'personal-attributes': (await linesOf(personal.attributes)).join('\n'),
    attributes: (await linesOf(files.attributes.path)).filter(it => HIDING_ATTRIBUTE.test(it)).join('\n'),
    ...flags,
  }
  return { settings, personal }
}

/** The file that a setting names, or that git takes by its name where none does. */
function personalFile(
  { root }: Workspace,
  config: ReadonlyMap<string, string>,
  { setting, name }: { readonly setting: string; readonly name: string },
): string {
  const named = [...config]
    .findLast(([key]) => key.endsWith(` ${setting}`))?.[1]
    .split('\n')
    .at(-1)
  return resolve(root, (named ?? join(configHome(), 'git', name)).replace(/^~(?=\/)/, homedir()))
}

// Of the attributes, only these lines count as settings.
function isHarmless(name: string, line: string): boolean {
  return name === 'attributes' && !HIDING_ATTRIBUTE.test(line)
}

// By these a file's content is not the one that git compares. kotef writes attributes of its own.
const HIDING_ATTRIBUTE = /\b(?:filter|diff|ident|working-tree-encoding)\b/

async function linesOf(path: string): Promise<string[]> {
  return settingLines(await textOf(path))
}

async function textOf(path: string): Promise<string> {
  return (await readRegularFile(path).catch(() => null))?.toString('utf8') ?? ''
}

function settingFiles(workspace: Workspace, personal: PersonalFiles): SettingFiles {
  const at = (name: string, path: string) => ({ path, saved: savedSettingPath(workspace, name) })
  return {
    exclude: at('exclude', join(workspace.commonDir, 'info/exclude')),
    'personal-exclude': at('personal-exclude', personal.excludes),
    attributes: at('attributes', join(workspace.commonDir, 'info/attributes')),
    'personal-attributes': at('personal-attributes', personal.attributes),
  }
}

/** The files that have what a person's git ignores, in git's order. */
export function savedExcludes(workspace: Workspace): string[] {
  return ['personal-exclude', 'exclude'].map(it => savedSettingPath(workspace, it))
}

/** Saves the files of settings as a person chose them, so that a change of them can be taken back to the byte. */
async function saveFiles(workspace: Workspace, personal: PersonalFiles): Promise<void> {
  for (const { path, saved } of Object.values(settingFiles(workspace, personal))) {
    const text = await textOf(path)
    if (text !== (await textOf(saved))) await workspace.files.put(saved, text)
  }
}

/** Saves those of which a part is trusted. */
async function saveTrusted(workspace: Workspace, trusted: GitSettings, personal: PersonalFiles): Promise<void> {
  for (const [name, { path, saved }] of Object.entries(settingFiles(workspace, personal))) {
    const chosen = (trusted[name] ?? '').split('\n')
    const lines = settingLines(await textOf(path))
    const harmless = name === 'exclude' ? OWN_EXCLUDES : lines.filter(it => isHarmless(name, it))
    await workspace.files.put(saved, withLines(await textOf(saved), [...chosen, ...harmless]))
  }
}
