import { normalize } from 'node:path/posix'
import { type Command, parse, type Statement } from 'unbash'
import { type Deed, opaque, writes } from './deed.ts'
import { editorDeeds } from './edit-programs.ts'
import { gitDeeds } from './git.ts'
import { hazardIn } from './hazards.ts'
import { mentionsIn, textIn } from './mentions.ts'
import { kotefDeeds } from './own-program.ts'
import { readerDeeds } from './readers.ts'
import { redirectDeeds } from './redirects.ts'
import { assignmentDeeds, shellWordDeeds } from './shell-words.ts'
import { below, type Cwds, type Steps, unplaced } from './steps.ts'
import { patchTargets } from '../patch-targets.ts'
import { type Arg, argOf } from './word.ts'
import { innerOf } from './wrappers.ts'
import { writerDeeds } from './writers.ts'

/** Reads a script that stands within another one, begun in some folders. */
export type Run = (script: readonly Statement[], at: Cwds) => readonly Deed[]

/** What one command does by itself, and where it leaves the shell. */
export function commandDeeds(node: Command, at: Cwds, run: Run): Steps {
  const around = [
    ...node.prefix.flatMap(it => (it.type === 'Assignment' ? [...assignmentDeeds(it.name), ...optionIn(it.text)] : [])),
    ...redirectDeeds(node.redirects),
  ]
  const words = node.name ? [argOf(node.name), ...node.args.map(argOf)] : []
  const own = words.length === 0 ? [] : programDeeds(words, { node, at, run })
  const deeds = unplaced([...around, ...own], at)
  const said = deeds.some(it => it.does === 'opaque') ? [...mentionsIn(spokenIn(node, words)), ...kept(at)] : []
  return { deeds: [...deeds, ...said], ...movedBy(words, at) }
}

// What is kept for later as an option is meant to be one.
function optionIn(assignment: string): readonly Deed[] {
  return /^\w+\+?=['"]?-/.test(assignment) ? mentionsIn(assignment) : []
}

type Around = { readonly node: Command; readonly at: Cwds; readonly run: Run }

// What git is told is read word by word, for a commit's message may mention anything.
function spokenIn(node: Command, [first]: readonly Arg[]): string {
  return first?.text === 'git' ? node.prefix.map(textIn).join(' ') : textIn(node)
}

// In such a folder whatever is told names what keeps governance on.
function kept(at: Cwds): readonly Deed[] {
  return (at ?? []).flatMap(it => mentionsIn(/\.git$/.test(it) ? `${it}/hooks` : `${it}/`))
}

function programDeeds([first, ...args]: readonly Arg[], around: Around): readonly Deed[] {
  const name = first && nameOf(first)
  if (!name) return opaque('what is to run shows only when it runs')
  const inner = innerOf(name, args)
  if (inner?.kind === 'command') {
    const all = inner.words.length === 0 ? [] : programDeeds(inner.words, around)
    const deeds = inner.without.includes(SETTINGS) ? all.filter(it => it.does !== 'hooked') : all
    const set = inner.assigned.flatMap(assignmentDeeds)
    return [...set, ...deeds, ...(inner.odd === null ? [] : opaque(inner.odd))]
  }
  if (inner?.kind === 'script') return scriptDeeds(inner.text, around)
  return knownDeeds(name, args) ?? patchDeeds(name, around.node, args) ?? unknown(name, args, around)
}

// Without this variable, git heeds none of the settings that an agent may have put into the environment.
const SETTINGS = 'GIT_CONFIG_COUNT'

function knownDeeds(name: string, args: readonly Arg[]): readonly Deed[] | null {
  if (name === 'git') return gitDeeds(args)
  if (/^kotef(?:-watch)?$/.test(name)) return kotefDeeds(name === 'kotef' ? args : [WATCH, ...args])
  const isMoving = name === 'cd' || name === 'pushd' || name === 'popd'
  if (isMoving) return []
  return (
    shellWordDeeds(name, args) ?? editorDeeds(name, args) ?? readerDeeds(name, args) ?? writerDeeds(name, args) ?? null
  )
}

const WATCH: Arg = { text: 'watch', isOperand: true, source: 'watch' }

/** A program by its name; null for one that is named by a path of its own, or only when it runs. */
function nameOf({ text }: Arg): string | null {
  if (text === null || text === '') return null
  return text.replace(/^\/(?:usr\/(?:local\/)?)?s?bin\//, '')
}

function scriptDeeds(text: string | null, { at, run }: Around): readonly Deed[] {
  if (text === null) return opaque('it runs a text that shows only then')
  const script = parse(text)
  const why = hazardIn(script)
  return [...run(script.commands, at), ...(why === null ? [] : [...opaque(why), ...mentionsIn(text)])]
}

// Codex hands its patches to a command of this name as well.
function patchDeeds(name: string, node: Command, [first, ...more]: readonly Arg[]): readonly Deed[] | null {
  if (name !== 'apply_patch' && name !== 'applypatch') return null
  const bodies = node.redirects.flatMap(it => (it.type === 'HereDoc' && it.delimiter?.quoted ? [it.body.text] : []))
  const text = bodies[0] ?? (more.length === 0 ? (first?.text ?? '') : '')
  const targets = patchTargets(text)
  return targets.length === 0 ? null : writes(targets)
}

function unknown(name: string, args: readonly Arg[], { node }: Around): readonly Deed[] {
  if (TOOLS.test(name) && (tellsOfItself(name, args) || readsPackages(name, args))) return []
  const isBare = args.every(it => /^-[il]+$/.test(it.text ?? '')) && SHELLS.test(name)
  const isFed = node.redirects.some(it => it.type !== 'Redirect' || it.operator === '<')
  const waits: Deed[] = isBare && !isFed ? [{ does: 'wait' }] : []
  return [...waits, ...killDeeds(name, args), ...opaque(`nobody knows what ${name} does`)]
}

// Python is only told by it to talk, and runs what it is fed.
function tellsOfItself(name: string, [first, ...more]: readonly Arg[]): boolean {
  const isTalk = first?.text === '-v' && name.startsWith('python')
  return more.length === 0 && !isTalk && TELLS.test(first?.text ?? '')
}

// Other options name a program to run, or a file to write.
function readsPackages(name: string, [first, ...more]: readonly Arg[]): boolean {
  return READS.test(`${name} ${first?.text ?? ''}`) && more.every(it => it.isOperand || PLAIN.test(it.text ?? ''))
}

const PLAIN_WORDS = [
  ...['[lgamuvdief]', 'json', 'all', 'long', 'global', 'depth(?:=\\d+)?', 'parseable', 'versions', 'format(?:=\\w+)?'],
  ...['format-version(?:=1)?', 'no-deps', 'outdated', 'user', 'local', 'locked', 'offline', 'duplicates', 'invert'],
  ...['omit=\\w+', 'prod'],
]
const PLAIN = new RegExp(`^--?(?:${PLAIN_WORDS.join('|')})$`)
const SHELLS = /^(?:(?:ba|z|da|k|fi)?sh|python[\d.]*|node|irb|ruby|perl|php|deno|bun|lua|psql|sqlite3|mysql)$/
const TELLS = /^(?:--version|-v|-V|--help)$/
const TOOLS =
  /^(?:node|pnpm|npm|npx|yarn|deno|bun|tsc|python[\d.]*|pip3?|ruby|perl|php|java|go|cargo|rustc|c?make|gcc|docker|gh)$/
const READS =
  /^(?:npm (?:ls|list|view|outdated|why)|go (?:version|list)|pip3? (?:list|show|freeze)|cargo (?:tree|metadata))$/

function killDeeds(name: string, args: readonly Arg[]): Deed[] {
  const words = args.map(it => it.text ?? it.source)
  const isEverybody = name === 'kill' && words.includes('-1') && words.length > 1
  const isDaemon =
    /^(?:pkill|killall)$/.test(name) &&
    words.some(it => /kotef|main-watch|^(?:no?|nod|node|nodejs|watch|\.\*?)$/i.test(it))
  return isEverybody || isDaemon ? [{ does: 'switch', what: 'killing the daemon' }] : []
}

/** Where a command leaves the shell. */
function movedBy([first, ...args]: readonly Arg[], at: Cwds): Omit<Steps, 'deeds'> {
  if (first?.text === 'exit' && args.length <= 1 && /^\d*$/.test(args[0]?.text ?? '')) return { ok: [], failed: [] }
  const isBuiltin = first?.text === 'builtin' || first?.text === 'command'
  const name = (isBuiltin ? args[0] : first)?.text ?? ''
  // What these run, they run in this very shell.
  if (/^(?:eval|source|\.|trap|pushd|popd)$/.test(name) || (isBuiltin && name === 'cd'))
    return { ok: null, failed: null }
  if (first?.text !== 'cd') return { ok: at, failed: at }
  const to = args.length === 1 ? (args[0]?.text ?? null) : null
  if (to === null || to === '' || to.startsWith('-') || !at) return { ok: null, failed: at }
  return {
    ok: at.map(it => normalize(below(it, to)).replace(/^\.\/?$|\/$/, '') || (to.startsWith('/') ? '/' : '')),
    failed: at,
  }
}
