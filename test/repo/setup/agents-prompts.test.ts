import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { worktreeFiles } from '../../rig/worktree-files.ts'
import { runCliOrThrow } from '../../rig/hooked-repo.ts'
import { freshRepo } from '../../rig/installation.ts'
import { copyRepo } from '../../rig/repo.ts'

const fresh = fixture(freshRepo)

describe('the section of a prompt file', () => {
  const BEGIN = '<!-- kotef:begin -->'

  test("has FR-009's words, how to select, and what a commit bears", async () => {
    await using repo = copyRepo(fresh())
    await runCliOrThrow(repo, 'init', '--yes', '--agent', 'generic')
    const text = await repo.read('AGENTS.md')
    for (const it of ['You must cite a valid active Intent ID.', 'select_active_intent', 'tool_search', 'Intent-ID'])
      expect(text).toContain(it)
    // In a worktree without node_modules `npx kotef` would ask npm for a package that is not kotef's.
    expect(text).toContain('`npx kotef-watch intent start <id> --agent <name>`')
    expect(text).not.toContain('`npx kotef ')
    expect(text).toContain('hooks refuse this command, so with them ask the user to connect the server')
  })

  test.each([
    ['claude', 'CLAUDE.md', ['CLAUDE.md']],
    ['gemini', 'GEMINI.md', ['GEMINI.md']],
    ['codex', 'AGENTS.md', ['AGENTS.md']],
    ['cursor', 'AGENTS.md', ['AGENTS.md']],
  ])('of %s stands in %s', async (agent, file, files) => {
    await using repo = copyRepo(fresh())
    await runCliOrThrow(repo, 'init', '--yes', '--agent', agent)
    expect(await repo.read(file)).toContain(BEGIN)
    expect(Object.keys(await worktreeFiles(repo)).filter(it => it.endsWith('.md'))).toEqual(files)
  })

  test('of claude stands in AGENTS.md where CLAUDE.md takes that in, or is a link to it', async () => {
    for (const prepare of [
      'echo "Mine. " >CLAUDE.md; echo @AGENTS.md >>CLAUDE.md',
      'echo x >AGENTS.md; ln -s AGENTS.md CLAUDE.md',
    ]) {
      await using repo = copyRepo(fresh())
      await repo.play(prepare)
      const before = await worktreeFiles(repo)
      await runCliOrThrow(repo, 'init', '--yes', '--agent', 'claude')
      expect(await repo.read('AGENTS.md')).toContain(BEGIN)
      expect((await worktreeFiles(repo))['CLAUDE.md']).toBe(before['CLAUDE.md'])
      await runCliOrThrow(repo, 'uninit')
      expect(await worktreeFiles(repo)).toEqual(before)
    }
  })

  test('stands in CLAUDE.md where AGENTS.md is a link to that', async () => {
    await using repo = copyRepo(fresh())
    await repo.write('CLAUDE.md', 'x\n')
    await symlink('CLAUDE.md', join(repo.root, 'AGENTS.md'))
    await runCliOrThrow(repo, 'init', '--yes', '--agent', 'codex', '--agent', 'claude')
    expect((await repo.read('CLAUDE.md')).match(new RegExp(BEGIN, 'g'))).toHaveLength(1)
  })

  test('is brought up to date in its place', async () => {
    await using repo = copyRepo(fresh())
    await repo.write('AGENTS.md', `above\n\n${BEGIN}\nold\n<!-- kotef:end -->\n\nbelow\n`)
    await runCliOrThrow(repo, 'init', '--yes', '--agent', 'generic')
    const text = await repo.read('AGENTS.md')
    expect(text).toMatch(/^above\n\n<!-- kotef:begin -->\n[^]+<!-- kotef:end -->\n\nbelow\n$/)
    expect(text).not.toContain('\nold\n')
  })
})
