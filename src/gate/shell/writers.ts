import { basename } from 'node:path/posix'
import type { Target } from '../target.ts'
import { type Deed, opaque, writes } from './deed.ts'
import { type Form, type Given, given } from './options.ts'
import { isDevice } from './redirects.ts'
import type { Arg } from './word.ts'

/** What a program does that writes the files that it is given; null for any other program. */
export function writerDeeds(name: string, args: readonly Arg[]): Deed[] | null {
  const writer = WRITERS.get(name)
  if (!writer) return null
  const words = given(args, writer.form)
  if (words) return writer.deeds(words)
  const unclear = args.filter(it => it.text === null)
  return [...opaque(`${name} has options that kotef does not know`), ...unclear.flatMap(it => unnamed(it.source))]
}

type Writer = { readonly form: Form; readonly deeds: (given: Given) => Deed[] }

/** Writes to each of some words; one that shows only later is opaque. */
export function writesTo(args: readonly Arg[], more: Omit<Target, 'path'> = {}): Deed[] {
  return args.flatMap(({ text, source }) => {
    if (text === null) return unnamed(source)
    return isDevice(text) ? [] : writes([text], more)
  })
}

// Where they lie may show all the same.
function unnamed(source: string): Deed[] {
  const deeds = opaque('it writes to files whose names show only when it runs')
  return /(?:^|[/"'])\.git(?:[/"']|$)/.test(source) ? [...deeds, { does: 'switch', what: "git's own files" }] : deeds
}

const all = ({ operands }: Given) => writesTo(operands)
const has = ({ options }: Given, ...names: readonly string[]) => options.some(([name]) => names.includes(name))

/** Words of which the last one, or that of an option, is where the others go. */
function destination(words: Given): { readonly sources: readonly Arg[]; readonly to: Arg | null } {
  const named = words.options.find(([name]) => name === 't' || name === 'target-directory')?.[1]
  if (named !== undefined && named !== null)
    return { sources: words.operands, to: { text: named, isOperand: true, source: named } }
  return { sources: words.operands.slice(0, -1), to: words.operands.at(-1) ?? null }
}

function copied(words: Given): Deed[] {
  const { sources, to } = destination(words)
  if (!to || sources.length === 0) return []
  const into = sources.map(it => basename(it.text ?? ''))
  const isKnown = sources.every(it => it.text !== null)
  const isTree = has(words, 'r', 'R', 'a', 'recursive', 'archive')
  const odd = isTree || !isKnown ? opaque('it copies what shows only when it runs') : []
  return [...writesTo([to], { into: into.filter(it => it !== '' && it !== '.' && it !== '..') }), ...odd]
}

function moved(words: Given): Deed[] {
  return [...writesTo(destination(words).sources, { tree: true }), ...copied(words)]
}

function linked(words: Given): Deed[] {
  const [only, ...others] = words.operands
  const isHere = only && others.length === 0 && !has(words, 't', 'target-directory')
  const made = isHere && only.text !== null ? writes([basename(only.text)]) : copied(words)
  // Who may write a second name of a file may write the file; and through a link what it leads to.
  if (!has(words, 's', 'symbolic')) return [...writesTo(isHere ? [only] : destination(words).sources), ...made]
  return [...made, ...opaque('it makes a link')]
}

function installed(words: Given): Deed[] {
  return has(words, 'd', 'directory') ? writesTo(words.operands) : copied(words)
}

const COPY = ['recursive', 'force', 'verbose', 'no-clobber', 'archive', 'update', 'no-target-directory', 'parents']
const INTO = ['target-directory', 'suffix']

const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ['touch', { form: { flags: 'acfhm', values: 'rdt', longValues: ['reference', 'date', 'time'] }, deeds: all }],
  ['mkdir', { form: { flags: 'pv', values: 'm', long: ['parents', 'verbose'], longValues: ['mode'] }, deeds: all }],
  ['rmdir', { form: { flags: 'v', long: ['verbose'] }, deeds: all }],
  ['unlink', { form: { flags: '' }, deeds: all }],
  ['mkfifo', { form: { flags: '' }, deeds: all }],
  ['tee', { form: { flags: 'aip', long: ['append'] }, deeds: all }],
  ['truncate', { form: { flags: 'co', values: 'sr', longValues: ['size', 'reference'] }, deeds: all }],
  [
    'rm',
    {
      form: { flags: 'firRdvI', long: ['recursive', 'force', 'verbose', 'dir'] },
      deeds: words => writesTo(words.operands, { tree: has(words, 'r', 'R', 'recursive') }),
    },
  ],
  ...['chmod', 'chown', 'chgrp'].map((name): [string, Writer] => [
    name,
    {
      form: { flags: 'cfvR', long: ['recursive', 'verbose'] },
      deeds: words => writesTo(words.operands.slice(1), { tree: has(words, 'R', 'recursive') }),
    },
  ]),
  ['cp', { form: { flags: 'abdfiHLnPprRuvxT', values: 'St', long: COPY, longValues: INTO }, deeds: copied }],
  ['mv', { form: { flags: 'bfinuvT', values: 'St', long: COPY, longValues: INTO }, deeds: moved }],
  ['ln', { form: { flags: 'sfnvirbLPT', values: 'St', long: [...COPY, 'symbolic'], longValues: INTO }, deeds: linked }],
  [
    'install',
    {
      form: { flags: 'bCcDdpsvT', values: 'gmoSt', long: ['directory', 'verbose'], longValues: INTO },
      deeds: installed,
    },
  ],
  ['rsync', { form: { flags: 'avrzuntpPh', long: ['archive', 'verbose', 'delete'] }, deeds: synced }],
])

function synced(words: Given): Deed[] {
  const to = words.operands.at(-1)
  return [...(to ? writesTo([to]) : []), ...opaque('it copies what shows only when it runs')]
}
