/** An agent's payload: JSON of which nothing is certain. */
export type Payload = Readonly<Record<string, unknown>>

/** A payload's text as an object, or null. */
export function parsePayload(text: string): Payload | null {
  // Cursor puts a byte order mark before it on some machines.
  return objectOrNull(jsonOrUndefined(text.replace(/^\uFEFF/, '')))
}

/** A text as JSON; undefined when it is none. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A value as an object; null when it is none. */
export function objectOrNull(value: unknown): Payload | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : null
}

/** A value as a name or path of sensible length; null when it is none. */
export function shortTextOrNull(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > SHORT_TEXT_CHARACTERS_MAX || value.includes('\0'))
    return null
  return value
}

const SHORT_TEXT_CHARACTERS_MAX = 4_096

/** A value as a model's id; null when it is none, or longer than Agent Trace lets it be. */
export function modelOrNull(value: unknown): string | null {
  const model = shortTextOrNull(value)
  return model !== null && model.length <= MODEL_CHARACTERS_MAX ? model : null
}

const MODEL_CHARACTERS_MAX = 250
