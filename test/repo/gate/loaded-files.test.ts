import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askGate, bashTool, bindSession } from '../../rig/agent-gate.ts'
import type { Repo } from '../../rig/repo.ts'
import { unselectedRepo } from '../../rig/selection.ts'

describe('a folder with the files of a git directory', () => {
  let repo: Repo
  beforeAll(async () => {
    repo = await unselectedRepo()
    await repo.play(`mkdir -p src/x/objects src/x/refs src/linked; echo 'ref: refs/heads/main' >src/x/HEAD
      printf '[core]\\nrepositoryformatversion = 0\\nbare = false\\nworktree = .\\n' >src/x/config
      printf 'fsmonitor = "touch %s/ran; false"\\n' "$PWD" >>src/x/config
      cp src/x/HEAD src/linked; echo ../x >src/linked/commondir`)
  })
  afterAll(() => repo[Symbol.asyncDispose]())
  const ask = (command: string, cwd = '') =>
    askGate(repo, 'claude', { ...bashTool(command), cwd: join(repo.root, cwd) }).then(it => it.kind)

  test('is a repository to git, which runs what its config names', async () => {
    await repo.run('git', ['-C', 'src/x', 'status'])
    expect(existsSync(join(repo.root, 'ran'))).toBe(true)
  })

  test.each([
    ...['git -C src/x status', 'cd src/x && git status', 'cd src; cd x; git diff', 'git -C src -C x log'],
    ...[
      'cd src/x/refs && git status',
      '(cd src/linked; git status)',
      'cd "$PWD/src/x" && git status',
      'env -C src/x git log',
      'd=src/x; cd "$d" && git status',
    ],
  ])('is not entered before a selection: %s', async command => {
    expect(await ask(command)).toBe('denied')
  })

  test('nor does an agent work in it', async () => {
    expect([await ask('git status', 'src/x'), await ask('git status', 'src')]).toEqual(['denied', 'allowed'])
  })

  test.each([
    'git -C src status',
    'cd src && git log',
    'cat src/x/HEAD',
    'cd .git && cat HEAD',
    'ls src/x',
    'git status',
  ])('and other folders are read as before: %s', async command => {
    expect(await ask(command)).toBe('allowed')
  })
})

describe("a module with the name of one of Python's own", () => {
  let repo: Repo
  beforeAll(async () => {
    repo = await unselectedRepo()
    await repo.play(`echo '{}' >a.json; mkdir -p src/file src/folder/gettext src/plain/sub
      echo 'open("ran", "w")' | tee src/file/argparse.py >src/folder/gettext/__init__.py; echo x >src/plain/sub/a.txt`)
  })
  afterAll(() => repo[Symbol.asyncDispose]())
  const ask = (command: string) => askGate(repo, 'claude', bashTool(command)).then(it => it.kind)

  test.each(['src/file', 'src/folder'])('is run in its place in %s', async folder => {
    await repo.run('sh', ['-c', `cd ${folder}; python3 -m json.tool ../../a.json || true`])
    expect(existsSync(join(repo.root, folder, 'ran'))).toBe(true)
  })

  test.each([
    'cd src/file && python3 -m json.tool ../../a.json',
    'cd src/folder; python3 -m json.tool < ../../a.json',
    'cd src; cat a.json | (cd file; python3 -m json.tool)',
    'cd src/file && python3 -m pip list',
    'env -C src/file python3 -m json.tool ../../a.json',
  ])('is not run before a selection: %s', async command => {
    expect(await ask(command)).toBe('denied')
  })

  test.each([
    'python3 -m json.tool a.json',
    'cat a.json | python3 -m json.tool | head',
    'cd src/plain && python3 -m json.tool ../../a.json',
    'python3 -m pip list',
    'cd src/file && python3 -I -m json.tool ../../a.json',
  ])('where there is none, it reads: %s', async command => {
    expect(await ask(command)).toBe('allowed')
  })
})

describe('a program in the place of a file of JSON', () => {
  let repo: Repo
  beforeAll(async () => {
    repo = await unselectedRepo()
    await repo.play(`echo '{"version": "1"}' >a.json; mkdir folder.json src/sub; echo '{}' >src/sub/a.json
      echo 'require("fs").writeFileSync("ran", "")' | tee folder.json/index.js >program.js; ln -s program.js link.json`)
  })
  afterAll(() => repo[Symbol.asyncDispose]())
  const ask = (command: string) => askGate(repo, 'claude', bashTool(command)).then(it => it.kind)

  test.each(['folder', 'link'])('is run by node: %s', async name => {
    await repo.run('sh', ['-c', `rm -f ran; node -p 'require("./${name}.json").version'`])
    expect(existsSync(join(repo.root, 'ran'))).toBe(true)
  })

  test.each(['folder', 'link', 'missing'])('is not run before a selection: %s', async name => {
    expect(await ask(`node -p 'require("./${name}.json").version'`)).toBe('denied')
    expect(await ask(`cd src; node -p 'require("../${name}.json").version'`)).toBe('denied')
  })

  test('where there is none, it reads', async () => {
    expect(await ask(`node -p 'require("./a.json").version'`)).toBe('allowed')
    expect(await ask(`cd src/sub && node -p 'require("./a.json")'`)).toBe('allowed')
  })
})

describe('a line that writes in the scope, and loads', () => {
  let repo: Repo
  beforeAll(async () => {
    repo = await unselectedRepo()
    await repo.write('.orchestration/config.yaml', 'opaque_commands: ask\n')
    await repo.play(`echo '{"version": "1"}' | tee a.json >src/b.json; mkdir src/file; touch src/file/argparse.py
      echo 'require("fs").writeFileSync("ran", "")' >program.js; ln -s program.js link.json`)
    await bindSession(repo)
  })
  afterAll(() => repo[Symbol.asyncDispose]())
  const ask = (command: string) => askGate(repo, 'claude', bashTool(command)).then(it => it.kind)

  test.each([
    `node -p 'require("./link.json").version' >src/ok.ts`,
    `node -p 'require("./missing.json").version' >src/ok.ts`,
    `ln -s ../program.js src/x.json && node -p 'require("./src/x.json").version'`,
    `mv src/link src/b.json && node -p 'require("./src/b.json").version'`,
    `mv src/b.json src/c && node -p 'require("./src/c/b.json").version'`,
    `cd src && mv link b.json && node -p 'require("./b.json").version'`,
    'cd src/file && python3 -m json.tool ../../a.json >../ok.json',
    'cd src && echo 1 >argparse.py && python3 -m json.tool ../a.json',
    'cd src && mv file argparse && python3 -m json.tool ../a.json',
  ])('may run a program: %s', async command => {
    expect(await ask(command)).toBe('asked')
  })

  test.each([
    `node -p 'require("./a.json").version' >src/ok.ts`,
    `cd src && node -p 'require("./b.json").version' >ok.ts`,
    'python3 -m json.tool a.json >src/ok.json',
    'cd src && python3 -m json.tool b.json >ok && echo 1 >c.json',
  ])('does nothing else: %s', async command => {
    expect(await ask(command)).toBe('allowed')
  })
})
