/** False for a run of the tests of the pure rooms and of the code's own look alone: they run from the source. */
export function needsPrograms(words: readonly string[]): boolean {
  const paths = words.filter((it, n) => it.startsWith('test/') && words[n - 1] !== '--config')
  return paths.length === 0 || !paths.every(it => /^test\/(core|tidy)/.test(it))
}
