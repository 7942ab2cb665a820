import type { Entry, Part, Sheet } from './sheet.ts'

export const FORMATS = ['xml', 'md', 'json'] as const
export type Format = (typeof FORMATS)[number]

/** Lays a sheet out. Whatever stands in a value, it stays a value: nothing in it is taken for markup. */
export function layOut(sheet: Sheet, format: Format): string {
  if (format === 'json') return JSON.stringify({ [sheet.name]: asObject(sheet) }, null, 1)
  return (format === 'xml' ? xmlOf(sheet) : markdownOf(sheet)).join('\n')
}

/** A sheet as a value, for those who take JSON. */
export function asObject({ parts }: Sheet): Readonly<Record<string, unknown>> {
  return Object.fromEntries(parts.map(it => [it.name, 'text' in it ? it.text : it.entries.map(of => plain(it, of))]))
}

function plain({ item }: { readonly item: string }, { text, about }: Entry): unknown {
  return Object.keys(about).length === 0 ? text : { [item]: text, ...about }
}

function xmlOf({ name, parts }: Sheet): string[] {
  return [`<${name}>`, ...parts.flatMap(xmlPart), `</${name}>`]
}

function xmlPart(part: Part): string[] {
  if ('text' in part) return [`  <${part.name}>${escaped(part.text)}</${part.name}>`]
  if (part.entries.length === 0) return [`  <${part.name}></${part.name}>`]
  const entries = part.entries.map(({ text, about }) => {
    const attributes = Object.entries(about).map(
      ([key, it]) => ` ${key}="${escaped(it).replace(/[\n\t]/g, reference)}"`,
    )
    return `    <${part.item}${attributes.join('')}>${escaped(text)}</${part.item}>`
  })
  return [`  <${part.name}>`, ...entries, `  </${part.name}>`]
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, it => ENTITIES[it] ?? it)
}

// An XML parser makes a space of these in an attribute.
function reference(character: string): string {
  return `&#${character.charCodeAt(0)};`
}

function markdownOf({ name, parts }: Sheet): string[] {
  return [`# ${name}`, ...parts.flatMap(part => ['', `## ${part.name}`, ...markdownPart(part)])]
}

function markdownPart(part: Part): string[] {
  if ('text' in part) return [span(part.text)]
  if (part.entries.length === 0) return ['none']
  return part.entries.map(({ text, about }) => {
    const more = Object.entries(about).map(([key, it]) => `${key} ${span(it)}`)
    return `- ${[...(text === '' ? [] : [span(text)]), ...more].join(', ')}`
  })
}

// In a code span nothing is markup but as many backticks as it begins with.
function span(text: string): string {
  if (text === '') return 'nothing'
  const line = text.replaceAll('\n', '\\n')
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(it => it[0].length))
  const fence = '`'.repeat(longest + 1)
  const room = /^[` ]|[` ]$/.test(line) ? ' ' : ''
  return `${fence}${room}${line}${room}${fence}`
}
