import { dirname, join, relative } from 'node:path'
import { type IntentClaim, readClaim, type SharedClaim } from '../../../core/intents/claim.ts'
import { type Gatherer, pathExists, readBytes, tryAskGit } from '../../../core/git/gatherer.ts'
import type { GitQuery } from '../../../core/git/query.ts'
import { KotefError } from '../../../core/base/failure.ts'
import { systemErrorCode } from '../../io/files/files.ts'
import { LARGE_FILE_BYTES_MAX } from '../../io/files/regular-file.ts'
import { oddRefError } from '../../io/git/odd-refs.ts'
import { shellQuoted } from '../../../core/base/printable.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

/** The prefix of the refs that hold a clone's claims. */
export const CLAIM_REFS = 'refs/kotef/claims'

type ClaimStore = Pick<Workspace, 'git' | 'files' | 'commonDir'>

/** A claim's ref, and the claim that it points to; null when it points to something else. */
export type ClaimRef = { readonly intent: string; readonly oid: string | null; readonly claim: IntentClaim | null }

/** A claim, with the name and the text of its git object. */
export type StoredClaim = { readonly oid: string; readonly text: string; readonly claim: IntentClaim }

/**
 * The claim on an intent, or null when there is none. Throws when the ref exists and can't be read. `cached` is the
 * `cachedClaimText` of an earlier answer; it counts while the ref names the same object.
 */
export function* claimOn(
  store: Pick<ClaimStore, 'commonDir'>,
  intent: string,
  cached: string | null = null,
): Gatherer<StoredClaim | null> {
  const ref = claimRefName(intent)
  const oid = yield* claimOid(store, ref)
  if (oid === null) return null
  const known = cached?.startsWith(`${oid}\n`) ? cached.slice(oid.length + 1) : null
  const text = known !== null && readClaim(known) ? known : yield* tryAskGit(blobText(oid))
  const claim = text === null ? null : readClaim(text)
  if (text !== null && claim) return { oid, text, claim }
  throw claimUnreadableError(store, intent, `${ref} does not point to a claim`)
}

/** A text that a program can keep, so that git need not read the same claim again. */
export function cachedClaimText({ oid, text }: StoredClaim): string {
  return `${oid}\n${text}`
}

/** The object that a ref names; null when there is no such ref, empty when git can't read it. */
function* claimOid({ commonDir }: Pick<ClaimStore, 'commonDir'>, ref: string): Gatherer<string | null> {
  // Starting git takes longer than to read the ref's file.
  const loose = yield* readRefFile(join(commonDir, ref))
  if (loose !== null && /^[0-9a-f]{40,64}$/.test(loose)) return loose
  const oid = yield* tryAskGit({ args: ['rev-parse', '--verify', '--quiet', ref], parse: out => out.trim() })
  if (oid) return oid
  const packed = (yield* readRefFile(join(commonDir, 'packed-refs'))) ?? ''
  if (loose !== null || packed.split('\n').some(it => it.endsWith(` ${ref}`))) return ''
  return (yield* isFolderReplaced(commonDir)) ? '' : null
}

// A file in place of a folder hides every claim, so it must not look like a clone without claims.
function* isFolderReplaced(commonDir: string): Gatherer<boolean> {
  for (const folder of [dirname(CLAIM_REFS), CLAIM_REFS].map(it => join(commonDir, it)))
    if ((yield* pathExists(folder)) && !(yield* pathExists(`${folder}/.`))) return true
  return false
}

function* readRefFile(path: string): Gatherer<string | null> {
  try {
    return (yield* readBytes(path))?.toString('latin1').trim() ?? null
  } catch (thrown) {
    // Git itself would wait for ever at a pipe. It reports all else that is wrong with a file.
    if (['EFTYPE', 'ENXIO'].includes(systemErrorCode(thrown) ?? '')) throw oddRefError(path)
    return ''
  }
}

function blobText(oid: string): GitQuery<string> {
  return { args: ['cat-file', 'blob', oid], parse: out => out }
}

/** Every claim of the clone, sorted by intent, including those that can't be read. */
export async function listClaimRefs(store: ClaimStore): Promise<ClaimRef[]> {
  if (await hasNoClaims(store).catch(() => false)) return []
  const loose = await store.files.list(join(store.commonDir, CLAIM_REFS)).catch(() => [])
  const refs = await store.git.ask({
    args: ['for-each-ref', '--format=%(objectname) %(refname)', CLAIM_REFS],
    parse: out => out.split('\n').slice(0, -1),
  })
  const objects = refs.map(it => ({ oid: it.slice(0, it.indexOf(' ')), intent: it.slice(it.lastIndexOf('/') + 1) }))
  const oids = objects.map(it => it.oid)
  const contents = new Map((await readObjects(store, oids)).map(it => [it.oid, it] as const))
  const readable = objects.map(({ intent, oid }) => {
    const found = contents.get(oid)
    return { intent, oid, claim: found?.type === 'blob' ? readClaim(found.text) : null }
  })
  // For a file that is not a valid ref, git only prints a warning.
  const broken = loose.filter(it => !it.endsWith('.lock') && !objects.some(({ intent }) => intent === it))
  const all = [...readable, ...broken.map(intent => ({ intent, oid: null, claim: null }))]
  return all.sort((one, other) => (one.intent < other.intent ? -1 : 1))
}

// Starting git takes longer than to see in its files that there is no claim; refs in a reftable have no such files.
async function hasNoClaims({ files, commonDir }: ClaimStore): Promise<boolean> {
  if ((await files.list(join(commonDir, CLAIM_REFS))).length > 0) return false
  const packed = await files.read(join(commonDir, 'packed-refs'), LARGE_FILE_BYTES_MAX)
  if (packed?.includes(` ${CLAIM_REFS}/`)) return false
  return (await files.modifiedAt(join(commonDir, 'reftable'))) === null
}

/** True when a session of this worktree holds the claim. */
export function isClaimOfSession(store: GitDirs, claim: IntentClaim, session: string): boolean {
  return claim.session === session && claim.gitDir === relativeGitDir(store)
}

/** A worktree's name in a claim: its git directory relative to the common one, so that a clone can be moved. */
export function relativeGitDir({ gitDir, commonDir }: GitDirs): string {
  return relative(commonDir, gitDir) || '.'
}

type GitDirs = Pick<Workspace, 'gitDir' | 'commonDir'>

type ClaimSwap = { readonly intent: string; readonly from: string | null; readonly to: string | null }

/**
 * Changes the claim on an intent from one object to another, where null stands for an absent one. Of several processes
 * that try it at once, one succeeds. Returns null on success, else git's message: another process was first, or the ref
 * is damaged.
 */
export async function swapClaim({ git }: ClaimStore, { intent, from, to }: ClaimSwap): Promise<string | null> {
  const before = from ?? '0'.repeat(to?.length ?? 0)
  const change = to === null ? ['-d', claimRefName(intent), before] : [claimRefName(intent), to, before]
  try {
    await git.ask({ args: ['update-ref', '--no-deref', ...change], parse: () => {} })
    return null
  } catch (thrown) {
    if (thrown instanceof KotefError && thrown.code === 'git-failed') return thrown.message
    throw thrown
  }
}

/** Writes a claim as a git object and returns its oid. */
export async function writeClaimObject(
  { git }: Pick<ClaimStore, 'git'>,
  claim: IntentClaim | SharedClaim,
): Promise<string> {
  return (await gitOutput({ git }, ['hash-object', '-w', '--stdin'], `${JSON.stringify(claim)}\n`)).toString().trim()
}

/** The error for a claim that can't be read or written. */
export function claimUnreadableError(
  { commonDir }: Pick<ClaimStore, 'commonDir'>,
  intent: string,
  why: string,
): KotefError {
  const [ref, file] = [claimRefName(intent), join(commonDir, claimRefName(intent))].map(shellQuoted)
  return new KotefError('orchestration-unavailable', `The claim on ${intent} can't be read: ${why}`, {
    hint: `If no session works on it: \`git update-ref --no-deref -d ${ref} || rm -rf ${file} ${file}.lock\``,
  })
}

/** The ref of the claim on an intent. */
export function claimRefName(intent: string): string {
  return `${CLAIM_REFS}/${intent}`
}

type GitObject = { readonly oid: string; readonly type: string; readonly text: string }

/** The git objects with these names. Names that git does not know are left out. */
export async function readObjects({ git }: Pick<ClaimStore, 'git'>, names: readonly string[]): Promise<GitObject[]> {
  if (names.length === 0) return []
  const bytes = await gitOutput({ git }, ['cat-file', '--batch'], names.map(it => `${it}\n`).join(''))
  const contents: GitObject[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\n', at)
    const [oid = '', type = '', size] = bytes.toString('utf8', at, end).split(' ')
    at = end + 1
    if (size === undefined) continue
    contents.push({ oid, type, text: bytes.toString('utf8', at, at + Number(size)) })
    at += Number(size) + 1
  }
  return contents
}

async function gitOutput({ git }: Pick<ClaimStore, 'git'>, args: readonly string[], input: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of git.streamWithInput(args, { input })) chunks.push(chunk)
  return Buffer.concat(chunks)
}
