/** How large a ledger is, in bytes: its lines, how many of these are in compressed parts, and all of it on the disk. */
export type LedgerExtent = { readonly bytes: number; readonly compressed: number; readonly onDisk: number }

/** A ledger's size for a person, after the number of its records; empty below a megabyte, where nobody asks. */
export function extentText({ bytes, compressed, onDisk }: LedgerExtent): string {
  if (bytes < MEGABYTE) return ''
  return `, ${megabytes(bytes)}${compressed === 0 ? '' : `, compressed to ${megabytes(onDisk)}`}`
}

function megabytes(bytes: number): string {
  const size = bytes / MEGABYTE
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} MB`
}

const MEGABYTE = 1_000_000
