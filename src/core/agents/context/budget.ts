import { listPart, type Sheet, type SheetPart } from './sheet.ts'

// 16 KiB, about 4,000 tokens: a larger context in each prompt would crowd out the task itself.
const CONTEXT_BYTES_MAX = 16_384

/**
 * Cuts a sheet until its text fits: first the oldest history, then declarations, files and lessons, and at last texts
 * are shortened. A part named `cuts` says what was cut.
 */
export function fitToBudget(sheet: Sheet, render: (sheet: Sheet) => string): Sheet {
  const fits = (it: Sheet) => Buffer.byteLength(render(it)) <= CONTEXT_BYTES_MAX
  if (fits(sheet)) return sheet
  let cut = sheet
  for (const name of CUT_ORDER) {
    const count = entryCount(cut, name)
    const kept = mostThatFit(count, n => fits(withCutsPart(sheet, withEntries(cut, name, n))))
    cut = withEntries(cut, name, Math.max(0, kept))
    if (kept >= 0) return withCutsPart(sheet, cut)
  }
  for (const limits of LIMIT_STEPS) {
    const smaller = withCutsPart(sheet, withLimits(cut, limits))
    if (fits(smaller)) return smaller
  }
  throw new Error('The smallest context is larger than the limit.')
}

const CUT_ORDER = ['recent_history', 'declarations', 'files', 'lessons']

type Limits = { readonly entries: number; readonly characters: number }

const LIMIT_STEPS: readonly Limits[] = [
  { entries: 200, characters: 1000 },
  { entries: 100, characters: 300 },
  { entries: 50, characters: 150 },
  { entries: 20, characters: 80 },
  { entries: 8, characters: 40 },
  { entries: 3, characters: 20 },
]

/** The largest number below `count` for which a monotonic condition holds, by bisection; -1 when it holds for none. */
function mostThatFit(count: number, holds: (n: number) => boolean): number {
  let fits = -1
  let fails = count
  while (fails - fits > 1) {
    const middle = (fits + fails) >> 1
    if (holds(middle)) fits = middle
    else fails = middle
  }
  return fits
}

function entryCount({ parts }: Sheet, name: string): number {
  const part = parts.find(it => it.name === name)
  return part && 'entries' in part ? part.entries.length : 0
}

function withEntries(sheet: Sheet, name: string, entries: number): Sheet {
  const shorter = (part: SheetPart): SheetPart => {
    return part.name === name && 'entries' in part ? { ...part, entries: part.entries.slice(0, entries) } : part
  }
  return { ...sheet, parts: sheet.parts.map(shorter) }
}

function withLimits(sheet: Sheet, { entries, characters }: Limits): Sheet {
  const shorter = (part: SheetPart): SheetPart => {
    if (FIXED_PARTS.has(part.name)) return part
    if ('text' in part) return { ...part, text: clipText(part.text, characters) }
    const kept = part.entries.slice(0, entries).map(({ text, about }) => {
      const known = Object.entries(about).map(([key, it]) => [key, clipText(it, characters)])
      return { text: clipText(text, characters), about: Object.fromEntries(known) as Record<string, string> }
    })
    return { ...part, entries: kept }
  }
  return { ...sheet, parts: sheet.parts.map(shorter) }
}

// kotef's own sentences are short, and needed whole.
const FIXED_PARTS = new Set(['note', 'mandate', 'guidance', 'role', 'status'])

// By code points: half of a surrogate pair is not valid text.
function clipText(text: string, characters: number): string {
  const all = Array.from(text.slice(0, 2 * characters + 2))
  return all.length > characters ? `${all.slice(0, characters).join('')}…` : text
}

function withCutsPart(before: Sheet, after: Sheet): Sheet {
  const gone = before.parts.map(({ name }) => ({ name, entries: entryCount(before, name) - entryCount(after, name) }))
  const cuts = gone
    .filter(it => it.entries > 0)
    .map(it => `${it.entries} ${CUT_NAMES[it.name] ?? `entries of ${it.name}`}`)
  const isClipped = after.parts.some(part => partTexts(part).some(it => it.endsWith('…')))
  const texts = isClipped ? ['Texts that end in … may be shortened; they are whole in the registry'] : []
  const sentences = [...cuts.map(it => `${it} left out, for want of room`), ...texts]
  return { ...after, parts: [...after.parts, listPart('cuts', 'cut', sentences)] }
}

const CUT_NAMES: Readonly<Record<string, string>> = { recent_history: 'older entries of recent_history' }

function partTexts(part: SheetPart): string[] {
  return 'text' in part ? [part.text] : part.entries.flatMap(it => [it.text, ...Object.values(it.about)])
}
