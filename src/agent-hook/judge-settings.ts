import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import type { Reply } from '../agents/adapter.ts'
import { type SettingsFile, whyUngoverned } from '../agents/hook-settings.ts'
import { denialText } from '../gate/denial.ts'
import { governanceOff } from '../gate/reasons.ts'
import { disk } from '../io/files/files.ts'
import { toKotefError } from '../findings/failure.ts'
import type { LightWorktree } from './governed-worktree.ts'

/** A change of an agent's own settings; `path` is null when the payload names no file. */
type SettingsChange = { readonly agent: string; readonly path: string | null; readonly cwd: string }

/** Denies a change of settings, already on disk, after which the agent would no longer run kotef's hook. */
export async function judgeSettings(worktree: LightWorktree, { agent, path, cwd }: SettingsChange): Promise<Reply> {
  if (path === null) return settingsDenial('the hook does not say which settings change')
  // Other files in the folder of settings, such as skills, can't switch a hook off.
  if (!basename(path).endsWith('.json')) return { kind: 'silence' }
  const own = agent === 'claude' ? claudeSettingsPaths(worktree) : []
  const paths = [...new Set([resolve(cwd, path), ...own])]
  const files = await Promise.all(paths.map(readSettings)).catch((thrown: unknown) => toKotefError(thrown).message)
  if (typeof files === 'string') return settingsDenial(files)
  const why = whyUngoverned({ agent, files, isPlugin: process.env['CLAUDE_PLUGIN_ROOT'] !== undefined })
  return why === null ? { kind: 'silence' } : settingsDenial(why)
}

function claudeSettingsPaths({ root }: LightWorktree): string[] {
  const home = process.env['CLAUDE_CONFIG_DIR'] || join(homedir(), '.claude')
  const names = ['.claude/settings.json', '.claude/settings.local.json'].map(it => join(root, it))
  return [...names, join(home, 'settings.json')]
}

async function readSettings(path: string): Promise<SettingsFile> {
  return { name: path, text: (await disk.read(path))?.toString('utf8') ?? null }
}

function settingsDenial(why: string): Reply {
  return { kind: 'deny', text: denialText([governanceOff(why)]) }
}
