/**
 * Globs that match at least the paths that some lines of gitignore syntax match; null when a line makes an exception,
 * or has special characters other than `*`.
 */
export function ignoredGlobs(lines: readonly string[]): string[] | null {
  const globs: string[] = []
  for (const line of lines) {
    const body = /^\/?([^!#\\[?/][^\\[?]{0,999}?)\/?[ \t\r]*$/.exec(line)?.[1]
    if (!body) return null
    const anywhere = line.startsWith('/') || body.includes('/') ? body : `**/${body}`
    globs.push(anywhere, `${anywhere}/**`)
  }
  return globs.every(it => it.split('/').every(part => part === '**' || !/\*\*|[^ -~]/.test(part))) ? globs : null
}
