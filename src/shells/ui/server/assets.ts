import { readFile } from 'node:fs/promises'
import { packageFile } from '../../../world/io/files/package.ts'

/** The files that pages load, with their types. */
const ASSETS = {
  'client.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'icon-waiting.svg': 'image/svg+xml',
  'client.js': 'text/javascript; charset=utf-8',
} as const

/** A file that pages load; null when there is none of this name. */
export async function assetNamed(name: string): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string } | null> {
  if (!Object.hasOwn(ASSETS, name)) return null
  return {
    bytes: new Uint8Array(await readFile(packageFile(`dist/ui/${name}`))),
    type: ASSETS[name as keyof typeof ASSETS],
  }
}
