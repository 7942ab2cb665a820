import { claudeModel } from './claude.ts'
import { objectOrNull, parsePayload } from '../text/payload.ts'

/** The model of the last message in the end of a Claude Code conversation, which has one JSON object per line. */
export function lastModelIn(text: string): string | null {
  for (const line of text.split('\n').reverse()) {
    const model = claudeModel(objectOrNull(parsePayload(line)?.['message'])?.['model'])
    if (model !== null) return model
  }
  return null
}
