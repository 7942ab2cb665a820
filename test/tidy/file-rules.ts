import type { Function as AnyFunction, ArrowFunctionExpression } from 'oxc-parser'
import {
  endless,
  handover,
  homes,
  limits,
  mayImport,
  printers,
  publishers,
  pureOfNode,
  pureRooms,
  starters,
  timeHomes,
} from './rooms.ts'
import { packageOf, pathOf, roomOf } from './paths.ts'
import { lineOf, type Source, visit } from './source.ts'
import { isMisleadingName, misleadingIn } from './words.ts'

/** What one file does against the style guide: a sentence for each place. */
export type FileRule = (source: Source) => string[]

const roomsImportWhatTheyMay: FileRule = ({ path, imports }) =>
  imports
    .filter(it => it.from.startsWith('.'))
    .filter(it => !mayImport[roomOf(path)]?.includes(roomOf(pathOf(it.from, path))))
    .map(it => `${path} imports ${it.from}: ${roomOf(path)} may not.`)

const handoverIsAskedByItsPorts: FileRule = ({ path, imports }) => {
  if ([...handover.rooms, ...handover.shownBy].includes(roomOf(path))) return []
  return imports
    .map(it => pathOf(it.from, path))
    .filter(it => handover.rooms.includes(roomOf(it)) && !handover.ports.includes(it))
    .map(it => `${path} imports ${it}, which is no port of the handover.`)
}

const librariesStayAtHome: FileRule = ({ path, imports }) =>
  imports
    .filter(it => !/^(\.|node:)/.test(it.from))
    .filter(it => !homes[packageOf(it.from)]?.includes(roomOf(path)))
    .map(it => `${path} imports ${it.from}: it has its home in ${homes[packageOf(it.from)]?.join(', ') ?? 'no room'}.`)

const pureRoomsDoNotTouchNode: FileRule = ({ path, imports }) =>
  imports
    .filter(it => pureRooms.includes(roomOf(path)) && it.from.startsWith('node:') && it.runs)
    .filter(({ from, names }) => pureOfNode[from] !== 'all' && !names.every(it => pureOfNode[from]?.includes(it)))
    .map(it => `${path} imports ${it.from}: ${roomOf(path)} is pure.`)

const worldly = /^(process|console|performance|crypto|fetch|globalThis|queueMicrotask|set(Timeout|Interval|Immediate))$/

const pureRoomsDoNotTouchTheWorld: FileRule = source => {
  if (!pureRooms.includes(roomOf(source.path))) return []
  const found: string[] = []
  const named = namesOfMembers(source)
  const note = (at: number, what: string) =>
    void found.push(`${source.path}:${lineOf(source, at)} uses ${what}: ${roomOf(source.path)} is pure.`)
  const noteAsync = (it: { start: number; async: boolean }) => it.async && note(it.start, 'async')
  visit(source, {
    Identifier: ({ start, name }) => worldly.test(name) && !named.has(start) && note(start, name),
    AwaitExpression: it => note(it.start, 'await'),
    ArrowFunctionExpression: noteAsync,
    FunctionDeclaration: noteAsync,
    FunctionExpression: noteAsync,
    ImportExpression: it => note(it.start, 'import()'),
    MemberExpression: ({ start, end }) => {
      const text = source.text.slice(start, end)
      if (/^(Date\.now|Math\.random)$/.test(text)) note(start, text)
    },
    NewExpression: ({ start, end, arguments: given }) => {
      if (given.length === 0 && /^new Date\b/.test(source.text.slice(start, end))) note(start, 'new Date()')
    },
  })
  return found
}

// `it.process` and `{ process: 1 }` name a member, not what is in the world.
function namesOfMembers(source: Source): Set<number> {
  const found = new Set<number>()
  visit(source, {
    MemberExpression: it => it.computed || found.add(it.property.start),
    Property: it => it.shorthand || found.add(it.key.start),
    TSPropertySignature: it => found.add(it.key.start),
  })
  return found
}

const onePlaceSpeaks: FileRule = source => {
  if (printers.includes(source.path)) return []
  const found: string[] = []
  const named = namesOfMembers(source)
  const note = (at: number, what: string) => void found.push(`${source.path}:${lineOf(source, at)} prints by ${what}.`)
  visit(source, {
    Identifier: ({ start, name }) => name === 'console' && !named.has(start) && note(start, name),
    MemberExpression: ({ start, end }) => {
      const text = source.text.slice(start, end)
      if (/^process\.(stdout|stderr)$/.test(text)) note(start, text)
    },
  })
  return found
}

const processesStartInOneRoom: FileRule = ({ path, imports }) =>
  roomOf(path) === 'world/io' || starters.includes(path)
    ? []
    : imports
        .filter(it => it.runs && /^(?:node:)?child_process$/.test(it.from))
        .map(it => `${path} imports ${it.from}: a process is started in world/io.`)

const functionsAreShort: FileRule = source =>
  functionsOf(source)
    .map(({ start, end }) => ({ at: lineOf(source, start), lines: lineOf(source, end) - lineOf(source, start) + 1 }))
    .filter(it => it.lines > limits.function)
    .map(it => `${source.path}:${it.at} is a function of ${it.lines} lines.`)

const functionsTakeFewThings: FileRule = source =>
  functionsOf(source)
    .filter(it => it.params.length > limits.parameters)
    .map(it => `${source.path}:${lineOf(source, it.start)} takes ${it.params.length} parameters.`)

function functionsOf(source: Source): (AnyFunction | ArrowFunctionExpression)[] {
  const found: (AnyFunction | ArrowFunctionExpression)[] = []
  const note = (it: AnyFunction | ArrowFunctionExpression) => void found.push(it)
  visit(source, { ArrowFunctionExpression: note, FunctionDeclaration: note, FunctionExpression: note })
  return found
}

const filesAreShort: FileRule = ({ path, text }) => {
  const lines = text.split('\n').length - 1
  return lines > limits.file ? [`${path} has ${lines} lines.`] : []
}

const linesAreShort: FileRule = ({ path, text }) =>
  text
    .split('\n')
    .map((line, index) => ({ at: index + 1, width: Array.from(line).length }))
    .filter(it => it.width > limits.width)
    .map(it => `${path}:${it.at} is ${it.width} characters wide.`)

const nothingIsLeftToDo: FileRule = ({ path, text }) =>
  text
    .split('\n')
    .map((line, index) => ({ at: index + 1, word: line.match(/\b(TODO|FIXME|XXX)\b/)?.[1] }))
    .filter(it => it.word)
    .map(it => `${path}:${it.at} says ${it.word}.`)

// Each argument of a call takes a place on the stack, which has room for some hundred thousand.
const nothingLongIsSpread: FileRule = source => {
  if (!endless.includes(roomOf(source.path))) return []
  const found: string[] = []
  visit(source, {
    CallExpression: ({ start, callee, arguments: given }) => {
      const isPush =
        callee.type === 'MemberExpression' && /\.(push|unshift)$/.test(source.text.slice(callee.start, callee.end))
      if (isPush && given.some(it => it.type === 'SpreadElement'))
        found.push(`${source.path}:${lineOf(source, start)} spreads a list of any length into a call.`)
    },
  })
  return found
}

const exportsAreExplained: FileRule = source => {
  const ends = source.comments.map(it => it.end)
  return source.program.body
    .filter(
      it => it.type === 'ExportNamedDeclaration' && /^(Function|Class)Declaration$/.test(it.declaration?.type ?? ''),
    )
    .filter(({ start }) => !ends.some(end => source.text.slice(end, start) === '\n'))
    .map(it => `${source.path}:${lineOf(source, it.start)} exports something without a sentence above it.`)
}

const nothingIsPassedOn: FileRule = source =>
  source.program.body
    .filter(it => it.type === 'ExportAllDeclaration' || (it.type === 'ExportNamedDeclaration' && it.source))
    .map(it => `${source.path}:${lineOf(source, it.start)} exports what another file has.`)

const wordsArePlain: FileRule = source => {
  const texts = source.comments.map(({ start, end }) => ({ start, text: source.text.slice(start, end) }))
  visit(source, {
    Literal: it => typeof it.value === 'string' && texts.push({ start: it.start, text: it.value }),
    TemplateElement: it => texts.push({ start: it.start, text: it.value.raw }),
  })
  // A single word is a name of some program's, not a sentence.
  return texts
    .filter(it => it.text.includes(' '))
    .flatMap(it => misleadingIn(it.text).map(says => `${source.path}:${lineOf(source, it.start)} ${says}`))
}

const namesArePlain: FileRule = source => {
  const found = new Set<string>()
  visit(source, { Identifier: ({ name }) => isMisleadingName(name) && found.add(name) })
  return [...found].map(it => `${source.path} has the name ${it}, which misleads.`)
}

// Two forms that say nothing, and only keep a function below the limit of its lines.
const noFormSavesLines: FileRule = source => {
  const found: string[] = []
  const note = (at: number, what: string) => void found.push(`${source.path}:${lineOf(source, at)} ${what}.`)
  visit(source, {
    VariableDeclarator: ({ start, id, init }) => {
      const isPair = id.type === 'ArrayPattern' && init?.type === 'ArrayExpression'
      if (isPair && init.elements.length > 1 && init.elements.every(it => it && it.type !== 'SpreadElement'))
        note(start, 'declares several values at once: one declaration for each')
    },
    SpreadElement: ({ start, argument }) =>
      argument.type === 'ObjectExpression' && note(start, 'spreads a literal: write its members'),
    JSXSpreadAttribute: ({ start, argument }) =>
      argument.type === 'ObjectExpression' && note(start, 'spreads a literal: write its members'),
  })
  return found
}

const timesHaveOnePlace: FileRule = source => {
  if (timeHomes.rooms.includes(roomOf(source.path)) || timeHomes.files.includes(source.path)) return []
  const found: string[] = []
  visit(source, {
    VariableDeclarator: ({ start, id }) => {
      if (id.type === 'Identifier' && /^[A-Z_]+_MS(_MAX|_MIN)?$/.test(id.name))
        found.push(`${source.path}:${lineOf(source, start)} has ${id.name}: it belongs in core/base/thresholds.ts.`)
    },
  })
  return found
}

const safeTextsHaveOnePlace: FileRule = source => {
  if (roomOf(source.path) === 'core/outgoing') return []
  const found: string[] = []
  visit(source, {
    TSAsExpression({ start, end }) {
      if (/\bas SafeText$/.test(source.text.slice(start, end)))
        found.push(`${source.path}:${lineOf(source, start)} calls a text safe: only core/outgoing/ makes one.`)
    },
    CallExpression({ start, callee }) {
      if (callee.type === 'Identifier' && callee.name === 'published' && !publishers.includes(source.path))
        found.push(`${source.path}:${lineOf(source, start)} calls a text published: it is not one of the publishers.`)
    },
  })
  return found
}

/** Every rule about one file, by its name. */
export const fileRules = {
  roomsImportWhatTheyMay,
  handoverIsAskedByItsPorts,
  librariesStayAtHome,
  pureRoomsDoNotTouchNode,
  pureRoomsDoNotTouchTheWorld,
  onePlaceSpeaks,
  processesStartInOneRoom,
  nothingLongIsSpread,
  functionsAreShort,
  functionsTakeFewThings,
  filesAreShort,
  linesAreShort,
  nothingIsLeftToDo,
  exportsAreExplained,
  nothingIsPassedOn,
  wordsArePlain,
  namesArePlain,
  noFormSavesLines,
  timesHaveOnePlace,
  safeTextsHaveOnePlace,
} satisfies Record<string, FileRule>
