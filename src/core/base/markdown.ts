import { escapeInvisible } from './printable.ts'

/**
 * A text as Markdown that shows exactly this text, on one line: no markup, HTML, link or image. `:`, `@` and the dot
 * after `www` are escaped because editors make links of bare addresses.
 */
export function markdownText(text: string): string {
  return escapeInvisible(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>#|~&!$]/g, String.raw`\$&`)
    .replace(/:(?=\/\/)|@|(?<=\bwww)\./gi, String.raw`\$&`)
}
