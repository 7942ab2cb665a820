import { sha256Hex } from '../base/sha256.ts'

declare const SAFE: unique symbol

/**
 * A text that may leave this machine: it may stand in a tracked file, a note, a report, a page or another agent's
 * prompt. Only this room makes one of what a command, an agent or a file said, so the compiler finds the others.
 */
export type SafeText = string & { readonly [SAFE]: true }

/** A sentence of kotef's own: its words are those of the source, and its values may leave. */
export function safe(
  words: TemplateStringsArray,
  ...values: readonly (SafeText | number | null | undefined)[]
): SafeText {
  return words.map((it, n) => `${it}${values[n] ?? ''}`).join('') as SafeText
}

/** Several safe texts as a list of one line. */
export function safeList(texts: readonly SafeText[]): SafeText {
  return texts.join(', ') as SafeText
}

/**
 * A text that stands in the registry or the policy, or a name that kotef itself gives: it is public already. Tidy has
 * the list of the files that may say so.
 */
export function published(text: string): SafeText {
  return text as SafeText
}

/** A hash of a text: equal for equal texts in one clone, and nobody without the clone's salt can try texts. */
export function fingerprint(text: string, salt: string): SafeText {
  return sha256Hex(`${salt}\n${text}`).slice(0, FINGERPRINT_CHARS) as SafeText
}

const FINGERPRINT_CHARS = 16

/** A fingerprint that was stored; null for any other text. */
export function storedFingerprint(text: unknown): SafeText | null {
  return typeof text === 'string' && /^[\da-f]{16}$/.test(text) ? (text as SafeText) : null
}

/** The name of a tool, a node or a rule; its fingerprint when the text does not have the form of a name. */
export function safeName(text: string, salt: string): SafeText {
  return NAME.test(text) ? (text as SafeText) : safe`name ${fingerprint(text, salt)}`
}

const NAME = /^[A-Za-z_](?:[\w.:/@-]{0,62}[\w])?$/

/**
 * The path of a file in the worktree, which is as public as the ledger's paths; for any other path its fingerprint, or
 * without a salt that it is one.
 */
export function safePath(path: string, salt: string | null): SafeText {
  const isInside =
    path !== '' && path.length <= PATH_CHARS_MAX && !/^[/~]|^[A-Za-z]:|:\/\/|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(path)
  if (isInside) return path as SafeText
  return salt === null ? safe`a path outside` : safe`path ${fingerprint(path, salt)}`
}

const PATH_CHARS_MAX = 200

/** A safe text as code of Markdown. */
export function safeCode(text: SafeText): SafeText {
  return (text.includes('`') ? JSON.stringify(text) : `\`${text}\``) as SafeText
}
