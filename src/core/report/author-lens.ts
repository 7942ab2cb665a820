import { intentName } from '../authorship/line-intent.ts'
import { escapeInvisible } from '../base/printable.ts'
import type { AuthoredLine } from './line-hover.ts'

/** A line of an editor at which a summary is shown, and the summary. */
export type AuthorLens = { readonly line: number; readonly title: string }

/** The intents and the authors of all lines of a file in one line, the most frequent first. Null without lines. */
export function fileLens(lines: readonly AuthoredLine[], nameOf: (intent: string) => string | null): AuthorLens | null {
  if (lines.length === 0) return null
  const intents = counted(lines.flatMap(it => intentOf(it) ?? []))
  const [first, ...others] = intents.map(([id]) => id)
  const named = first === undefined ? 'no intent' : [first, nameOf(first) ?? ''].join(' ').trim()
  const more = others.length === 0 ? '' : `, ${others.slice(0, SHOWN_MAX).join(', ')}${andMore(others)}`
  const authors = counted(lines.map(authorName))
  const shares = authors.slice(0, SHOWN_MAX).map(([who, n]) => `${who} ${Math.round((n / lines.length) * 100)}%`)
  return { line: 1, title: lensTitle(`${named}${more} · ${shares.join(', ')}${andMore(authors)}`) }
}

/** One summary for each run of lines with the same commit, intent and author. */
export function blockLenses(lines: readonly AuthoredLine[]): AuthorLens[] {
  const titles = lines.map(it =>
    [intentOf(it) ?? 'no intent', authorName(it), it.commit?.slice(0, 10) ?? 'uncommitted'].join(' · '),
  )
  return lines.flatMap(({ line }, n) =>
    titles[n] === titles[n - 1] ? [] : [{ line, title: lensTitle(titles[n] ?? '') }],
  )
}

function intentOf({ author, either }: AuthoredLine): string | null {
  return intentName({ intent: author.intent, either })
}

const SHOWN_MAX = 3

function andMore({ length }: readonly unknown[]): string {
  return length > SHOWN_MAX ? ` and ${length - SHOWN_MAX} more` : ''
}

// Where no record names the author, git's author is a guess.
function authorName({ author: { contributor, doubt }, by }: AuthoredLine): string {
  const { type, model_id: model } = contributor
  if (type === 'unknown' && by !== null) return `${by.name}?`
  const name = model === undefined ? type : model.slice(model.lastIndexOf('/') + 1)
  return doubt === undefined ? name : `${name}?`
}

function counted(names: readonly string[]): [name: string, count: number][] {
  const counts = new Map<string, number>()
  for (const it of names) counts.set(it, (counts.get(it) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}

// Editors replace `$(name)` in a title with an icon, unless it is escaped.
function lensTitle(text: string): string {
  return escapeInvisible(text)
    .replace(/\s+/g, ' ')
    .replaceAll('$(', String.raw`\$(`)
}
