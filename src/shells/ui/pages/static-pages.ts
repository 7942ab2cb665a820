import { sha256Hex } from '../../../core/base/sha256.ts'

/** The addresses of other pages in a document, without what follows a `#`, each once. */
export function addressesIn(html: string): string[] {
  const found = [...html.matchAll(LINK)].map(([, , text = '']) => decoded(text).split('#')[0] ?? '')
  return [...new Set(found.filter(isPageAddress))]
}

/** The name of the file that an exported page has. Two addresses never have one name, whatever the file system. */
export function exportedFileName(address: string): string {
  if (address === './') return 'index.html'
  if (/^[a-z]{1,20}$/.test(address)) return `${address}.html`
  const words = address.replace(/[^\w.-]+/g, '_').slice(0, NAME_LENGTH_MAX)
  return `${words.replace(/^\.+/, '')}-${sha256Hex(address).slice(0, 12)}.html`
}

const NAME_LENGTH_MAX = 80

/**
 * A document in which each link leads to the file of its page. A link to a page without a file is a mere text: `fileOf`
 * is null for it.
 */
export function withFileLinks(html: string, fileOf: (address: string) => string | null): string {
  return html.replace(LINK, (whole, before: string, text: string) => {
    const [address = '', place] = decoded(text).split('#')
    if (!isPageAddress(address)) return whole
    const file = fileOf(address)
    return file === null ? '' : `${before}"${file}${place === undefined ? '' : `#${place}`}"`
  })
}

// How the pages' own components are written out: `href` between double quotes, after a space.
const LINK = /( href=)"([^"]*)"/g

function decoded(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
}

function isPageAddress(address: string): boolean {
  return address !== '' && !address.startsWith('assets/') && !/^[a-z]+:/.test(address)
}
