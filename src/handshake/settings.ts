import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import type { Reply } from '../agents/adapter.ts'
import { type Settings, whyUngoverned } from '../agents/settings.ts'
import { denialText } from '../gate/denial.ts'
import { governanceOff } from '../gate/words.ts'
import { disk } from '../io/files.ts'
import { toKotefError } from '../report/failure.ts'
import type { Governed } from './governed.ts'

/** A change of an agent's own settings; `path` is null where it does not say which file. */
type Change = { readonly agent: string; readonly path: string | null; readonly cwd: string }

/** Refuses a change of settings after which the agent would no longer ask; it stands on the disk already. */
export async function judgeSettings(place: Governed, { agent, path, cwd }: Change): Promise<Reply> {
  if (path === null) return refused('it is not told which settings change')
  // Of what else an agent keeps beside them, such as its skills, nothing switches a hook off.
  if (!basename(path).endsWith('.json')) return { kind: 'silence' }
  const own = agent === 'claude' ? claudeSettings(place) : []
  const paths = [...new Set([resolve(cwd, path), ...own])]
  const files = await Promise.all(paths.map(read)).catch((thrown: unknown) => toKotefError(thrown).message)
  if (typeof files === 'string') return refused(files)
  const why = whyUngoverned({ agent, files, isPlugin: process.env['CLAUDE_PLUGIN_ROOT'] !== undefined })
  return why === null ? { kind: 'silence' } : refused(why)
}

function claudeSettings({ root }: Governed): string[] {
  const home = process.env['CLAUDE_CONFIG_DIR'] || join(homedir(), '.claude')
  const names = ['.claude/settings.json', '.claude/settings.local.json'].map(it => join(root, it))
  return [...names, join(home, 'settings.json')]
}

async function read(path: string): Promise<Settings> {
  return { name: path, text: (await disk.read(path))?.toString('utf8') ?? null }
}

function refused(why: string): Reply {
  return { kind: 'deny', text: denialText([governanceOff(why)]) }
}
