import { modelIn } from './payload.ts'

/** A model as Agent Trace spells it: who made it stands before its name. */
export function modelBy(maker: string, value: unknown): string | null {
  const name = modelIn(value)
  return name === null || name.includes('/') ? name : modelIn(`${maker}/${name}`)
}

/** A model of which only the name is told; null for one that names none, such as `default`. */
export function modelNamed(value: unknown): string | null {
  const name = modelIn(value)
  if (name === null || /^(default|auto)$/i.test(name)) return null
  const [, maker] = MAKERS.find(([names]) => names.test(name)) ?? []
  return maker === undefined ? name : modelBy(maker, name)
}

const MAKERS: readonly (readonly [names: RegExp, maker: string])[] = [
  [/^claude\b/, 'anthropic'],
  [/^(gpt|o\d|codex)\b/, 'openai'],
  [/^gemini\b/, 'google'],
  [/^(composer|cursor)\b/, 'cursor'],
  [/^grok\b/, 'xai'],
]
