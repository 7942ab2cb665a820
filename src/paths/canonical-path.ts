/**
 * The spelling of a path that scopes are compared with: relative to the repository, with `/`, in Unicode NFC. For a
 * path without such a spelling the answer is `why`: no scope can own it.
 */
export function canonicalPath(path: string): { readonly path: string } | { readonly why: string } {
  const why = pathFlaw(path)
  return why === null ? { path: path.normalize('NFC') } : { why }
}

function pathFlaw(path: string): string | null {
  if (path === '') return 'it is empty'
  if (path.includes('\0')) return 'it contains a NUL byte'
  if (/[\p{Cs}\uFFFD]/u.test(path)) return 'it is not valid UTF-8'
  if (path.startsWith('/')) return 'it is absolute'
  const segments = path.split('/')
  if (segments.includes('..')) return 'it contains `..`'
  if (segments.some(it => it === '' || it === '.')) return 'it contains an empty segment or `.`'
  return null
}
