import { objectOrNull, type Payload, parsePayload } from '../text/payload.ts'

/** A file of an agent's settings; null where there is none. */
export type SettingsFile = { readonly name: string; readonly text: string | null }

type SettingsState = {
  readonly agent: string
  readonly files: readonly SettingsFile[]
  /** True where the hook came with a plugin, and so stands in none of the files. */
  readonly isPlugin: boolean
}

/**
 * Why an agent's settings would keep its hook from being asked before a tool is used; null when they would not. The
 * hook must stand in one of the files, and none may switch hooks off. Of agents whose form nobody knows, the hook's
 * name must stand in the text.
 */
export function whyUngoverned({ agent, files, isPlugin }: SettingsState): string | null {
  const read = files.flatMap(({ name, text }) => (text === null ? [] : [{ name, text, value: parsePayload(text) }]))
  const broken = read.find(it => it.value === null)
  if (broken) return `${broken.name} is no JSON object`
  const off = read.find(it => HOOKS_OFF_KEYS.some(key => (it.value?.[key] ?? false) !== false))
  if (off) return `${off.name} switches hooks off`
  const isHooked = (it: (typeof read)[number]) =>
    agent === 'claude' ? hookEntries(it.value).some(isOwnHook) : it.text.includes('agent-hook')
  return isPlugin || read.some(isHooked) ? null : "kotef's hook before the use of a tool is in none of the settings"
}

const HOOKS_OFF_KEYS = ['disableAllHooks', 'allowManagedHooksOnly']

type HookEntry = { readonly matcher: unknown; readonly hook: Payload }

function hookEntries(settings: Payload | null): HookEntry[] {
  const groups = objectOrNull(settings?.['hooks'])?.['PreToolUse']
  return hookList(groups).flatMap(group => {
    const { matcher, hooks } = objectOrNull(group) ?? {}
    return hookList(hooks).map(it => ({ matcher, hook: objectOrNull(it) ?? {} }))
  })
}

/** One that is waited for, at every use of a tool that writes or runs. */
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

const MATCHER_MAX = 300

function hookList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
