import { claudeModel } from './claude.ts'
import { objectOrNull, parsePayload } from '../text/payload.ts'

/** The model that spoke last, by the end of a conversation that Claude Code wrote down, one JSON object a line. */
export function lastModelIn(text: string): string | null {
  for (const line of text.split('\n').reverse()) {
    const model = claudeModel(objectOrNull(parsePayload(line)?.['message'])?.['model'])
    if (model !== null) return model
  }
  return null
}
