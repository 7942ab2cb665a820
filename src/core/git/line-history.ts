import type { GitQuery } from './query.ts'

/** A blob in a commit's tree. */
export type TreeFile = { readonly path: string; readonly oid: string; readonly size: number }

/** The regular files of a commit. */
export function filesOfCommit(commit: string): GitQuery<TreeFile[]> {
  return { args: ['ls-tree', '-r', '-l', '-z', '--full-tree', commit], parse: parseTree }
}

function parseTree(out: string): TreeFile[] {
  return out.split('\0').flatMap(line => {
    const [, oid = '', size = '', path = ''] = /^100\d+ blob (\S+) +(\d+)\t([^]+)$/.exec(line) ?? []
    return path === '' ? [] : [{ path, oid, size: Number(size) }]
  })
}

/** The commits of a history that may cite an intent, each after its ancestors; each with its parents. */
export function commitsNamingIntents(commit: string): GitQuery<string[][]> {
  const naming = ['--regexp-ignore-case', '--grep=^Intent-ID[[:space:]]*:']
  return {
    args: ['log', '--topo-order', '--reverse', ...naming, '--format=%H %P', commit, '--'],
    parse: out => out.split('\n').flatMap(it => (it === '' ? [] : [it.trim().split(' ')])),
  }
}

/** The paths that commits change, compared with any of their parents. */
export function touchedPaths(revisions: readonly string[]): GitQuery<Set<string>> {
  const flags = ['-m', '-z', '--name-only', '--no-renames', '--root', '--format=']
  return {
    args: ['-c', 'log.diffMerges=separate', 'log', ...flags, ...revisions, '--'],
    parse: out => new Set(out.split('\0').filter(Boolean)),
  }
}

/** The merges among commits, each with its parents. */
export function mergesAmong(revisions: readonly string[]): GitQuery<string[][]> {
  return {
    args: ['rev-list', '--merges', '--parents', ...revisions, '--'],
    parse: out => out.split('\n').flatMap(it => (it === '' ? [] : [it.split(' ').slice(1)])),
  }
}

/** Of commits, which git reads on its input: the time, and the intents that their trailers cite. */
export const CITATIONS_WITH_TIME: readonly string[] = [
  ...['log', '--stdin', '--no-walk=unsorted', '--ignore-missing'],
  '--format=%H %ct %(trailers:key=Intent-ID,valueonly,unfold,separator=%x20)',
]

/** A commit's time in seconds, and the intents that it cites. */
export type Citation = { readonly time: number; readonly intents: readonly string[] }

/** Reads a line of this output. */
export function parseCitationWithTime(line: string): [commit: string, citation: Citation] {
  const [commit = '', time = '0', ...intents] = line.split(' ').filter(Boolean)
  return [commit, { time: Number(time), intents: [...new Set(intents.filter(it => INTENT_ID.test(it)))] }]
}

const INTENT_ID = /^[A-Z][A-Z0-9]*-\d+$/
