// A repository with an agent at work, for the pages in a browser.

import { claudeSession } from './agent-hooks.ts'
import { flushedRecords, governedRepo, startWatching } from './governed-repo.ts'
import { runCliOrThrow } from './hooked-repo.ts'
import { type PageServerOfTest, startPageServer } from './page-server.ts'
import type { Repo } from './repo.ts'

/** A repository in which a person and an agent work, under a daemon, and the server of its pages. */
export type UiStory = AsyncDisposable & {
  readonly repo: Repo
  readonly server: PageServerOfTest
  /** The absolute address of a page. */
  address(page: string): string
  /** A write of the agent, with its hooks before and after. */
  writeAsAgent(path: string, text: string): Promise<void>
}

/** The name of a file, and that of an intent, which a page must show as text. */
export const HOSTILE_NAME = '<script>alert(1)</script><img src=x onerror=alert(2)>'

/** It fills the width of a table, which makes the other columns as narrow as they can be. */
const LONG_SUBJECT = `pay: ${'refunds of a part of a payment are rounded as the bank does '.repeat(3)}`

const FILES = {
  'src/a.ts': 'export const a = 1\n',
  'src/pay/refund.ts': 'one\ntwo\nthree\n',
  'docs/notes.md': 'notes\n',
}

/** Plays the story up to the moment at which a person opens the pages. */
export async function uiStory(): Promise<UiStory> {
  const repo = await governedRepo(FILES)
  await runCliOrThrow(repo, 'intent', 'add', '--id', 'INT-002', '--name', HOSTILE_NAME, '--scope', 'lib/**')
  const daemon = await startWatching(repo)
  const agent = claudeSession(repo, 'a1b2c3d4-0000-4000-8000-000000000001', { model: 'claude-opus-4' })
  await agent.say('SessionStart', { source: 'startup' })
  const writeAsAgent = async (path: string, text: string): Promise<void> => {
    await agent.willWrite(path)
    await repo.write(path, text)
    await agent.hasWritten(path)
  }
  await writeAsAgent('src/pay/limit.ts', `// ${'limits '.repeat(4)}\nexport const limit = 100\n`)
  await flushedRecords(repo)
  await repo.write('src/pay/limit.ts', `${await repo.read('src/pay/limit.ts')}// by a person\n`)
  await flushedRecords(repo)
  await repo.git('add', 'src/pay/limit.ts')
  await repo.git('commit', '--quiet', '-m', 'pay: a limit', '--', 'src/pay/limit.ts')
  const long = ['--allow-empty', '-m', LONG_SUBJECT, '-m', 'Intent-ID: INT-001\nIntent-ID: INT-002']
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', ...long)
  await writeAsAgent('src/a.ts', 'export const a = 2\nexport const b = 3\n')
  await writeAsAgent('src/pay/refund.ts', 'one\n2\n3\n4\n')
  await writeAsAgent(`src/${HOSTILE_NAME.replaceAll('/', '∕')}.ts`, 'x\n')
  await repo.write('docs/notes.md', 'more notes\n')
  await flushedRecords(repo)
  const server = await startPageServer(repo)
  return {
    ...{ repo, server, writeAsAgent },
    address: page => `http://127.0.0.1:${server.port}${server.base}${page}`,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await daemon[Symbol.asyncDispose]()
      await repo[Symbol.asyncDispose]()
    },
  }
}
