/**
 * The version of kotef that a config needs: `needs: 0.2.0`; null without one. It is found in the text, because an older
 * kotef may not be able to read the rest of a newer one's config.
 */
export function neededVersion(config: string): string | null {
  return /^needs:[ \t]*["']?(\d+\.\d+\.\d+)/m.exec(config)?.[1] ?? null
}

/** True for a version that is older than another one; what follows the three numbers is not compared. */
export function isOlderVersion(version: string, than: string): boolean {
  const [own, other] = [version, than].map(it => it.split(/[.-]/, 3).map(Number))
  const n = [0, 1, 2].find(it => own?.[it] !== other?.[it])
  return n !== undefined && (own?.[n] ?? 0) < (other?.[n] ?? 0)
}
