import { parse, type ParsedScript } from 'unbash'
import type { Target } from '../target.ts'
import type { Deed, Shell } from './deed.ts'
import { hazardIn } from './hazards.ts'
import { mentionsIn } from './mentions.ts'
import { walk } from './walk.ts'

/** What a command line would do, without running it; null stands for a line, or a folder to begin in, nobody knows. */
export function readShell(command: string | null, from: string | null = ''): Shell {
  if (command === null) return shellOf([{ does: 'opaque', why: 'what is to run is not known' }])
  if (command.length > LENGTH_MAX) return shellOf([{ does: 'opaque', why: 'it is too long' }, ...mentionsIn(command)])
  const script = parse(command)
  const why = hazardIn(script)
  const odd: Deed[] = why === null ? [] : [{ does: 'opaque', why }, ...mentionsIn(command)]
  return shellOf([...deedsIn(script, from), ...odd])
}

const LENGTH_MAX = 65_536

function deedsIn(script: ParsedScript, from: string | null): readonly Deed[] {
  return walk(script.commands, from === null ? null : [from]).deeds
}

function shellOf(deeds: readonly Deed[]): Shell {
  const targets = deeds.flatMap(({ does, ...target }) => (does === 'write' ? [target as Target] : []))
  const why = deeds.find(it => it.does === 'opaque')
  const isWrite = deeds.some(it => it.does === 'write' || it.does === 'record' || it.does === 'switch')
  return {
    kind: why ? 'opaque' : isWrite ? 'write' : 'read',
    targets: [...new Map(targets.map(it => [JSON.stringify(it), it])).values()],
    why: why?.why ?? null,
    switches: [...new Set(deeds.flatMap(it => (it.does === 'switch' ? [it.what] : [])))],
    hooked: deeds.some(it => it.does === 'hooked'),
    interactive: deeds.some(it => it.does === 'wait'),
  }
}
