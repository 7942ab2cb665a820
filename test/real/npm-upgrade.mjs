#!/usr/bin/env node
// Holds kotef against real input: the first version of an npm package is committed, the second is copied over it file by
// file while the daemon watches, and committed. Every line that `git diff` calls added must lie in exactly one record's
// range whose hash fits, and no record may claim a line that the diff does not have.
//
//   node test/real/npm-upgrade.mjs express 4.18.0 4.18.2
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import xxhash from 'xxhash-wasm'

const [name = 'express', first = '4.18.0', second = '4.18.2'] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'kotef-real-'))
const repo = join(folder, 'repo')
const main = join(import.meta.dirname, '../../dist/main.cjs')
const { h64Raw } = await xxhash()
mkdirSync(repo)

const run = (command, ...args) => execFileSync(command, args, { cwd: repo, encoding: 'utf8', maxBuffer: 1 << 28 })
const git = (...args) => run('git', '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args)
const kotef = (...args) => run(process.execPath, main, ...args)

try {
  const [from, to] = [unpack(first), unpack(second)]
  git('init', '--quiet', '--initial-branch=main')
  for (const path of filesIn(from)) put(from, path)
  kotef('init', '--yes', '--hooks', 'git')
  kotef('intent', 'add', '--id', 'INT-001', '--name', `${name} ${second}`, '--scope', '**')
  git('add', '--all', '--force')
  git('commit', '--quiet', '-m', `${name} ${first}`, '-m', 'Governance: adopt kotef')
  kotef('intent', 'start', 'INT-001')
  kotef('watch', '--detach')
  const started = performance.now()
  for (const path of filesIn(to)) put(to, path)
  for (const path of filesIn(from)) if (!existsSync(join(to, path))) rmSync(join(repo, path))
  kotef('flush')
  const tookMs = Math.round(performance.now() - started)
  git('add', '--all', '--force', '--', ...packageFiles(from, to))
  git('commit', '--quiet', '-m', `${name} ${second}`)
  report(check(), tookMs)
} finally {
  try {
    kotef('watch', '--stop')
  } catch {
    // It never started.
  }
  rmSync(folder, { recursive: true, force: true })
}

function unpack(version) {
  const target = join(folder, version)
  mkdirSync(target)
  const [{ filename }] = JSON.parse(run('npm', 'pack', `${name}@${version}`, '--json', '--pack-destination', folder))
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', target, '--strip-components=1'])
  return target
}

function filesIn(root) {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  return entries
    .filter(it => it.isFile())
    .map(it => relative(root, join(it.parentPath, it.name)))
    .sort()
}

function packageFiles(from, to) {
  return [...new Set([...filesIn(from), ...filesIn(to)])].filter(
    it => existsSync(join(repo, it)) || existsSync(join(from, it)),
  )
}

function put(from, path) {
  mkdirSync(dirname(join(repo, path)), { recursive: true })
  copyFileSync(join(from, path), join(repo, path))
}

/** Lines added by the last commit, by path: the diff is git's own, read here by itself. */
function addedLines() {
  const added = new Map()
  let lines = null
  for (const text of git('diff', '--unified=0', '--no-renames', '--no-color', 'HEAD~1', 'HEAD').split('\n')) {
    const file = /^\+\+\+ b\/(.*)$/.exec(text)
    if (file) added.set(file[1], (lines = new Set()))
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(text)
    if (hunk) for (let n = 0; n < Number(hunk[2] ?? 1); n++) lines.add(Number(hunk[1]) + n)
  }
  return added
}

function check() {
  const added = addedLines()
  const records = readFileSync(join(repo, '.orchestration/agent_trace.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map(it => JSON.parse(it))
  const claims = new Map()
  const found = {
    files: added.size,
    lines: 0,
    records: 0,
    ranges: 0,
    badHashes: 0,
    unclaimed: 0,
    claimedTwice: 0,
    invented: 0,
  }
  for (const record of records.filter(it => it.metadata['dev.kotef'].event === 'write')) {
    found.records++
    for (const file of record.files) {
      const text = file.kotef.after === null ? [] : readFileSync(join(repo, file.path), 'utf8').split('\n')
      for (const { start_line, end_line, content_hash } of file.conversations.flatMap(it => it.ranges)) {
        found.ranges++
        const lines = text
          .slice(start_line - 1, end_line)
          .map(it => `${it.replace(/\r$/, '')}\n`)
          .join('')
        if (content_hash !== `xxh64:${h64Raw(Buffer.from(lines)).toString(16).padStart(16, '0')}`) found.badHashes++
        for (let line = start_line; line <= end_line; line++) {
          const key = `${file.path}\0${line}`
          claims.set(key, (claims.get(key) ?? 0) + 1)
          if (!added.get(file.path)?.has(line)) found.invented++
        }
      }
    }
  }
  for (const [path, lines] of added) {
    for (const line of lines) {
      found.lines++
      const times = claims.get(`${path}\0${line}`) ?? 0
      if (times === 0) found.unclaimed++
      if (times > 1) found.claimedTwice++
    }
  }
  return found
}

function report(found, tookMs) {
  console.log(`${name} ${first} -> ${second}: copied and in the ledger after ${tookMs} ms`)
  for (const [what, count] of Object.entries(found)) console.log(`  ${what.padEnd(13)} ${count}`)
  const wrong = found.badHashes + found.unclaimed + found.claimedTwice + found.invented
  console.log(wrong === 0 && found.lines > 0 ? '1 passed, 0 failed' : '0 passed, 1 failed')
  process.exitCode = wrong === 0 && found.lines > 0 ? 0 : 1
}
