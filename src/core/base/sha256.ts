import { hash } from 'node:crypto'

/** The SHA-256 of a text (as UTF-8), in lower-case hex. */
export function sha256Hex(text: string): string {
  return hash('sha256', text)
}
