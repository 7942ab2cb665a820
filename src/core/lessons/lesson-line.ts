import { type Lesson, lessonId, lessonPaths, lessonText, origin } from './lesson.ts'

/** A lesson as an item of a Markdown list: its text, and everything else in a comment at the end of the line. */
export function lessonLine({ text, ...about }: Lesson): string {
  return `- ${escapeText(text)} <!-- ${metadata(about)} -->`
}

/** Reads a line of the list; null for a line without text. A person may have written it without the comment. */
export function readLessonLine(line: string): Lesson | null {
  const { item, comment } = splitLine(line.replace(/^\s*(?:[-*+]\s+)?/, '').trimEnd())
  const text = lessonText(item.replace(/&(amp|lt);/g, (_, name) => (name === 'lt' ? '<' : '&')))
  if (text === '') return null
  const known = new Map(comment.split(/\s+/).flatMap(it => fieldIn(it)))
  const id = known.get('id') ?? ''
  const at = known.get('at') ?? ''
  return {
    id: /^[\da-f]{6,16}$/.test(id) ? id : lessonId(text),
    text,
    paths: lessonPaths((known.get('paths') ?? '').split(',').map(decoded)),
    ...origin(decoded(known.get('for') ?? ''), decoded(known.get('by') ?? 'person')),
    at: DAY.test(at) ? at : '',
    isAhead: known.get('files') === 'none',
    seen: Math.min(Math.max(Number.parseInt(known.get('seen') ?? '1', 10) || 1, 1), SEEN_MAX),
  }
}

/** More often is not counted. */
export const SEEN_MAX = 9_999

// Only a comment with an id is kotef's own: another one is part of what a person wrote. A line may be very long, so no
// expression searches it.
function splitLine(line: string): { readonly item: string; readonly comment: string } {
  const at = line.endsWith(' -->') ? line.lastIndexOf('<!-- id:') : -1
  const comment = at === -1 ? '' : line.slice(at + '<!-- '.length, -' -->'.length)
  const isOwn = comment !== '' && comment.length <= COMMENT_CHARS_MAX && !/[<>]/.test(comment)
  return isOwn ? { item: line.slice(0, at), comment } : { item: line, comment: '' }
}

const COMMENT_CHARS_MAX = 16_384
const DAY = /^\d{4}-\d\d-\d\d$/

function fieldIn(word: string): (readonly [string, string])[] {
  const [, name, value] = /^([a-z]+):(.+)$/.exec(word) ?? []
  return name === undefined || value === undefined ? [] : [[name, value]]
}

function metadata({ id, paths, intent, by, at, seen, isAhead }: Omit<Lesson, 'text'>): string {
  const fields = [
    ['id', id],
    ['seen', String(seen)],
    ['at', at],
    ['by', encoded(by)],
    ['for', encoded(intent ?? '')],
    ['paths', paths.map(encoded).join(',')],
    ['files', isAhead ? 'none' : ''],
  ]
  return fields.flatMap(([name, value]) => (value === '' ? [] : [`${name}:${value}`])).join(' ')
}

// With no `<` in a text, nothing in it begins a comment or a tag.
function escapeText(text: string): string {
  return text.replace(/&(?=(?:amp|lt);)/g, '&amp;').replaceAll('<', '&lt;')
}

// Two hyphens could end the comment, and a comma separates paths.
function encoded(value: string): string {
  return encodeURIComponent(value)
    .replace(/%(?:2F|7B|7D|40|2B|5B|5D)/g, decodeURIComponent)
    .replaceAll('--', '-%2D')
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
