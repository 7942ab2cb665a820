import type { Git } from './git.ts'

/** Writes the bytes of a commit object, and answers its name. No reference leads to it. */
export async function writeCommit({ streamWithInput }: Pick<Git, 'streamWithInput'>, object: Buffer): Promise<string> {
  let out = ''
  for await (const chunk of streamWithInput(['hash-object', '-t', 'commit', '-w', '--stdin'], { input: object }))
    out += chunk.toString('latin1')
  return out.trim()
}
