const SCHEME = 'kotef:session/'

/** A session as a URL. An agent names its own, and so may write anything. */
export function sessionUrl(session: string): string {
  // Half a character is no text, and no URL can be made of it.
  return `${SCHEME}${encodeURIComponent(session.replace(/\p{Surrogate}/gu, '\ufffd'))}`
}

/** The session that a URL stands for; null when it stands for none. */
export function parseSessionUrl(url: string | undefined): string | null {
  if (!url?.startsWith(SCHEME)) return null
  const name = url.slice(SCHEME.length)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
