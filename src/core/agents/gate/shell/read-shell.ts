import { normalize } from 'node:path/posix'
import { parse, type ParsedScript } from 'unbash'
import type { Target } from '../../tool-targets.ts'
import type { Effect, ShellEffects } from './effect.ts'
import { withFileLoop, withoutCounters } from './counters.ts'
import { coversText } from './covered-text.ts'
import { hazardOfScript } from './hazards.ts'
import { withFoundPaths } from './found-paths.ts'
import { withKnownValues } from './known-values.ts'
import { governanceMentions } from './governance-mentions.ts'
import { type ProgramRun, programRuns } from './program-runs.ts'
import { type FolderTest, withSureFolders } from './sure-folders.ts'
import { statementsResult } from './statements.ts'

/**
 * The effects of a command line, read without running it; null for a line, or a starting folder, that is not known.
 * With `test` a folder that is there is entered for sure.
 */
export function readShell(line: string | null, from: string | null = '', test: FolderTest | null = null): ShellEffects {
  if (line === null) return summarizeEffects([{ kind: 'opaque', why: 'the command is not known' }])
  if (line.length > COMMAND_CHARACTERS_MAX)
    return summarizeEffects([{ kind: 'opaque', why: 'it is too long' }, ...governanceMentions(line)])
  const command = test === null || from === null ? line : withSureFolders(line, test)
  const effects = textEffects(command, from)
  // A value is put in place of a part as the parser sees it, which must be a part for the shell too.
  if (effects.kind !== 'opaque' || !coversText(parse(command), command)) return effects
  const plain = withKnownValues(withFileLoop(withoutCounters(withFoundPaths(withoutTopFolder(command)))))
  const plainEffects = plain === command ? effects : textEffects(plain, from)
  const runs = uniqueRuns([...effects.runs, ...plainEffects.runs])
  return { ...(plainEffects.kind === 'read' ? plainEffects : effects), runs }
}

// To git, any folder of a worktree is as good as its top one; Python would take its modules from there.
function withoutTopFolder(command: string): string {
  return command.includes('python') ? command : command.replace(TOP_FOLDER, 'cd .')
}

const TOP_FOLDER = /\bcd (?:"\$\(git rev-parse --show-toplevel\)"|\$\(git rev-parse --show-toplevel\))(?=[\s;&|)]|$)/g

function textEffects(command: string, from: string | null): ShellEffects {
  const script = parse(command)
  const why = hazardOfScript(script, command)
  const odd: Effect[] = why === null ? [] : [{ kind: 'opaque', why }, ...governanceMentions(command)]
  return { ...summarizeEffects([...scriptStepEffects(script, from), ...odd]), runs: uniqueRuns(programRuns(script)) }
}

function uniqueRuns(runs: readonly ProgramRun[]): ProgramRun[] {
  return [...new Map(runs.map(it => [JSON.stringify(it), it])).values()]
}

// Larger commands carry data, not steps, and would take the hook long to parse.
const COMMAND_CHARACTERS_MAX = 65_536

function scriptStepEffects(script: ParsedScript, from: string | null): readonly Effect[] {
  return statementsResult(script.commands, from === null ? null : [from]).effects
}

function summarizeEffects(effects: readonly Effect[]): ShellEffects {
  const targets = effects.flatMap(({ kind, ...target }) => (kind === 'write' ? [target as Target] : []))
  const why = effects.find(it => it.kind === 'opaque') ?? belowMoved(effects)
  const isWrite = effects.some(it => it.kind === 'write' || it.kind === 'record' || it.kind === 'switch')
  const asksHooks = effects.some(it => it.kind === 'hooked')
  const isSwitch = ({ kind }: Effect): boolean => kind === 'switch' || (kind === 'settings' && asksHooks)
  return {
    kind: why ? 'opaque' : isWrite ? 'write' : 'read',
    targets: [...new Map(targets.map(it => [JSON.stringify(it), it])).values()],
    why: why?.why ?? null,
    switches: [...new Set(effects.filter(isSwitch).flatMap(it => ('what' in it ? [it.what] : [])))],
    asksHooks,
    folders: [...new Set(effects.flatMap(it => (it.kind === 'folder' ? [it.path] : [])))],
    loads: effects.flatMap(it => (it.kind === 'load' ? [{ what: it.what, path: it.path }] : [])),
    interactive: effects.some(it => it.kind === 'wait'),
    runs: [],
  }
}

/** A write below what the same line has moved there: it may be a link, which leads elsewhere. */
function belowMoved(effects: readonly Effect[]): Extract<Effect, { kind: 'opaque' }> | undefined {
  const moved = new Set(effects.flatMap(it => (it.kind === 'moved' ? [normalize(it.path).replace(/\/$/, '')] : [])))
  if (moved.size === 0) return undefined
  const isBelow = effects.some(it => it.kind === 'write' && foldersAbove(normalize(it.path)).some(to => moved.has(to)))
  return isBelow ? { kind: 'opaque', why: 'it writes below what it moves' } : undefined
}

function foldersAbove(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, i) => names.slice(0, i + 1).join('/'))
}
