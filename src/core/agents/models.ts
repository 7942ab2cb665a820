import { shortTextOrNull } from '../base/payload.ts'

/** A value as a model's id; null when it is not one, or is longer than Agent Trace allows. */
export function modelOrNull(value: unknown): string | null {
  const model = shortTextOrNull(value)
  return model !== null && model.length <= MODEL_CHARACTERS_MAX ? model : null
}

/** The limit of Agent Trace 0.1.0 for `model_id`. */
const MODEL_CHARACTERS_MAX = 250

/** A model as Agent Trace spells it: its maker, a slash, its name. */
export function qualifiedModel(maker: string, value: unknown): string | null {
  const name = modelOrNull(value)
  return name === null || name.includes('/') ? name : modelOrNull(`${maker}/${name}`)
}

/** A model of which only the name is known; null for a name that selects no model, such as `default`. */
export function modelFromName(value: unknown): string | null {
  const name = modelOrNull(value)
  if (name === null || /^(default|auto)$/i.test(name)) return null
  const [, maker] = MAKERS.find(([names]) => names.test(name)) ?? []
  return maker === undefined ? name : qualifiedModel(maker, name)
}

const MAKERS: readonly (readonly [names: RegExp, maker: string])[] = [
  [/^claude\b/, 'anthropic'],
  [/^(gpt|o\d|codex)\b/, 'openai'],
  [/^gemini\b/, 'google'],
  [/^(composer|cursor)\b/, 'cursor'],
  [/^grok\b/, 'xai'],
]
