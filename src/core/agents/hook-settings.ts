import { join, resolve } from 'node:path/posix'
import { objectOrNull, type Payload, parsePayload } from '../base/payload.ts'

/** A file of an agent's settings; `text` is null when the file does not exist. */
export type SettingsFile = { readonly name: string; readonly text: string | null }

type SettingsState = {
  readonly agent: string
  readonly files: readonly SettingsFile[]
  /** True when the hook came with a plugin, and so is in none of the files. */
  readonly isPlugin: boolean
}

/**
 * Why an agent with these settings would not run kotef's hook before each tool; null when it would. One of the files
 * must have the hook, and none may switch hooks off. For an agent whose settings have no known form, the text must
 * contain the hook's name.
 */
export function whyUngoverned({ agent, files, isPlugin }: SettingsState): string | null {
  const read = files.flatMap(({ name, text }) => (text === null ? [] : [{ name, text, value: parsePayload(text) }]))
  const broken = read.find(it => it.value === null)
  if (broken) return `${broken.name} is not a JSON object`
  const off = read.find(it => hooksOffKey(it.value ?? {}) !== null)
  if (off) return `${off.name} switches hooks off`
  const isHooked = (it: (typeof read)[number]) =>
    agent === 'claude' ? hookEntries(it.value).some(isOwnHook) : it.text.includes('agent-hook')
  return isPlugin || read.some(isHooked) ? null : "kotef's hook before the use of a tool is in none of the settings"
}

/** The key by which settings of Claude Code switch hooks off; null where none does. */
export function hooksOffKey(settings: Payload): string | null {
  return HOOKS_OFF_KEYS.find(key => (settings[key] ?? false) !== false) ?? null
}

const HOOKS_OFF_KEYS = ['disableAllHooks', 'allowManagedHooksOnly']

/** The files in which Claude Code finds its settings, for `settingsPath`. */
export const CLAUDE_SETTINGS = ['.claude/settings.json', '.claude/settings.local.json', '~claude/settings.json']

/** The absolute path of a file of settings; `~<agent>/` is the folder of the user's own, which a variable may name. */
export function settingsPath(path: string, { root, home, env }: SettingsPlace): string {
  const [, agent = '', below = ''] = /^~(\w+)\/(.*)$/.exec(path) ?? []
  if (agent === '') return join(root, path)
  const named = { claude: env['CLAUDE_CONFIG_DIR'], codex: env['CODEX_HOME'] }[agent]
  return resolve(root, named || join(home, `.${agent}`), below)
}

type SettingsPlace = {
  readonly root: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

type HookEntry = { readonly matcher: unknown; readonly hook: Payload }

function hookEntries(settings: Payload | null): HookEntry[] {
  const groups = objectOrNull(settings?.['hooks'])?.['PreToolUse']
  return hookList(groups).flatMap(group => {
    const { matcher, hooks } = objectOrNull(group) ?? {}
    return hookList(hooks).map(it => ({ matcher, hook: objectOrNull(it) ?? {} }))
  })
}

/** True for kotef's hook, if Claude Code waits for it at every tool that writes a file or runs a command. */
function isOwnHook({ matcher, hook }: HookEntry): boolean {
  const words = [hook['command'], ...hookList(hook['args'])].join(' ')
  const isWhole = hook['type'] === 'command' && hook['async'] !== true && hook['if'] === undefined
  return isWhole && /\bagent-hook\s+claude\b/.test(words) && HOOKED_TOOLS.every(it => matcherCovers(matcher, it))
}

const HOOKED_TOOLS = ['Write', 'Edit', 'NotebookEdit', 'Bash']

function matcherCovers(matcher: unknown, tool: string): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true
  if (typeof matcher !== 'string' || matcher.length > MATCHER_MAX) return false
  try {
    return new RegExp(`^(?:${matcher})$`).test(tool)
  } catch {
    return false
  }
}

// A matcher is a few tool names; a longer one is not compiled.
const MATCHER_MAX = 300

function hookList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
