import { objectIn, type Payload, payloadIn } from './payload.ts'

/** A file of an agent's settings; null where there is none. */
export type Settings = { readonly name: string; readonly text: string | null }

type Change = {
  readonly agent: string
  readonly files: readonly Settings[]
  /** True where the hook came with a plugin, and so stands in none of the files. */
  readonly isPlugin: boolean
}

/**
 * Why an agent's settings would keep its hook from being asked before a tool is used; null when they would not. The
 * hook must stand in one of the files, and none may switch hooks off. Of agents whose form nobody knows, the hook's
 * name must stand in the text.
 */
export function whyUngoverned({ agent, files, isPlugin }: Change): string | null {
  const read = files.flatMap(({ name, text }) => (text === null ? [] : [{ name, text, value: payloadIn(text) }]))
  const broken = read.find(it => it.value === null)
  if (broken) return `${broken.name} is no JSON object`
  const off = read.find(it => SWITCHES.some(key => (it.value?.[key] ?? false) !== false))
  if (off) return `${off.name} switches hooks off`
  const isHooked = (it: (typeof read)[number]) =>
    agent === 'claude' ? entriesIn(it.value).some(isOurs) : it.text.includes('agent-hook')
  return isPlugin || read.some(isHooked) ? null : "kotef's hook before the use of a tool is in none of the settings"
}

const SWITCHES = ['disableAllHooks', 'allowManagedHooksOnly']

type Entry = { readonly matcher: unknown; readonly hook: Payload }

function entriesIn(settings: Payload | null): Entry[] {
  const groups = objectIn(settings?.['hooks'])?.['PreToolUse']
  return listOf(groups).flatMap(group => {
    const { matcher, hooks } = objectIn(group) ?? {}
    return listOf(hooks).map(it => ({ matcher, hook: objectIn(it) ?? {} }))
  })
}

/** One that is waited for, at every use of a tool that writes or runs. */
function isOurs({ matcher, hook }: Entry): boolean {
  const words = [hook['command'], ...listOf(hook['args'])].join(' ')
  const isWhole = hook['type'] === 'command' && hook['async'] !== true && hook['if'] === undefined
  return isWhole && /\bagent-hook\s+claude\b/.test(words) && TOOLS.every(it => isMatched(matcher, it))
}

const TOOLS = ['Write', 'Edit', 'NotebookEdit', 'Bash']

function isMatched(matcher: unknown, tool: string): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true
  if (typeof matcher !== 'string' || matcher.length > MATCHER_MAX) return false
  try {
    return new RegExp(`^(?:${matcher})$`).test(tool)
  } catch {
    return false
  }
}

const MATCHER_MAX = 300

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
