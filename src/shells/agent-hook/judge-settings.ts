import { homedir } from 'node:os'
import { basename, resolve } from 'node:path'
import type { Reply } from '../../core/agents/adapter.ts'
import { denialText } from '../../core/agents/gate/denial.ts'
import { governanceOff } from '../../core/agents/gate/reasons.ts'
import { CLAUDE_SETTINGS, type SettingsFile, settingsPath, whyUngoverned } from '../../core/agents/hook-settings.ts'
import { toKotefError } from '../../core/base/failure.ts'
import { disk } from '../../world/io/files/files.ts'
import type { LightWorktree } from './governed-worktree.ts'

/** A change of an agent's own settings; `path` is null when the payload names no file. */
type SettingsChange = { readonly agent: string; readonly path: string | null; readonly cwd: string }

/** Denies a change of settings, already on disk, after which the agent would no longer run kotef's hook. */
export async function judgeSettings(worktree: LightWorktree, { agent, path, cwd }: SettingsChange): Promise<Reply> {
  if (path === null) return settingsDenial('the hook does not say which settings change')
  // Other files in the folder of settings, such as skills, can't switch a hook off.
  if (!basename(path).endsWith('.json')) return { kind: 'silence' }
  const place = { root: worktree.root, home: homedir(), env: process.env }
  const own = agent === 'claude' ? CLAUDE_SETTINGS : []
  const paths = [...new Set([resolve(cwd, path), ...own.map(it => settingsPath(it, place))])]
  const files = await Promise.all(paths.map(readSettings)).catch((thrown: unknown) => toKotefError(thrown).message)
  if (typeof files === 'string') return settingsDenial(files)
  const why = whyUngoverned({ agent, files, isPlugin: process.env['CLAUDE_PLUGIN_ROOT'] !== undefined })
  return why === null ? { kind: 'silence' } : settingsDenial(why)
}

async function readSettings(path: string): Promise<SettingsFile> {
  return { name: path, text: (await disk.read(path))?.toString('utf8') ?? null }
}

function settingsDenial(why: string): Reply {
  return { kind: 'deny', text: denialText([governanceOff(why)]) }
}
