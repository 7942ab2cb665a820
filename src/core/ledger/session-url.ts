const SCHEME = 'kotef:session/'

/** A session as a URL. Agents choose their session ids, so the id may be any text. */
export function sessionUrl(session: string): string {
  // encodeURIComponent throws on half of a surrogate pair.
  return `${SCHEME}${encodeURIComponent(session.replace(/\p{Surrogate}/gu, '\ufffd'))}`
}

/** The session id in a URL; null for any other URL. */
export function parseSessionUrl(url: string | undefined): string | null {
  if (!url?.startsWith(SCHEME)) return null
  const name = url.slice(SCHEME.length)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
