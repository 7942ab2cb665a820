/** Untrusted JSON: an object of which no field is certain. */
export type Payload = Readonly<Record<string, unknown>>

/** A payload's text as an object; null when it is not one. */
export function parsePayload(text: string): Payload | null {
  // On some machines Cursor writes it.
  return parseObject(withoutMark(text))
}

/** A text without the byte order mark that PowerShell and other programs of Windows begin it with. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '')
}

/** A text as a JSON object; null when it is not one. */
export function parseObject(text: string): Payload | null {
  return objectOrNull(jsonOrUndefined(text))
}

/** A text as JSON; undefined when it does not parse. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A value as an object; null when it is not one. */
export function objectOrNull(value: unknown): Payload | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : null
}

/** A value as a name or path of sensible length; null when it is not one. */
export function shortTextOrNull(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > SHORT_TEXT_CHARACTERS_MAX || value.includes('\0'))
    return null
  return value
}

// PATH_MAX of Linux, in bytes: no path that a tool can open is longer.
const SHORT_TEXT_CHARACTERS_MAX = 4_096
