import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { npmPackages } from '../rig/npm-packages.ts'
import type { Repo } from '../rig/repo.ts'
import { adoptForBench, withHooks } from './repositories.ts'

/** A way to have git hooks, as its own documentation puts it into a repository. */
export type SetUp = { readonly name: string; prepare(repo: Repo): Promise<void> }

export const BARE = 'no hooks'
export const DIRECT = 'kotef direct'
export const MANY_PATTERNS = 'kotef direct, 200 patterns'

// The newest of each that the oldest supported Node can run.
const PACKAGES = [
  'husky@9.1.7',
  'lefthook@2.2.2',
  '@commitlint/cli@20.5.3',
  '@commitlint/config-conventional@20.5.3',
  'lint-staged@16.4.0',
]

const EMPTY = '#!/bin/sh\nexit 0\n'
const FOUR_HOOKS = { 'pre-commit': EMPTY, 'prepare-commit-msg': EMPTY, 'commit-msg': EMPTY, 'post-commit': EMPTY }

export const SET_UPS: readonly SetUp[] = [
  { name: BARE, prepare: async () => {} },
  { name: '4 empty sh hooks', prepare: repo => withHooks(repo, FOUR_HOOKS) },
  { name: DIRECT, prepare: repo => adoptForBench(repo) },
  { name: MANY_PATTERNS, prepare: repo => adoptForBench(repo, { patterns: 200 }) },
  { name: 'kotef under husky', prepare: underHusky },
  { name: 'one empty Node hook', prepare: repo => withHooks(repo, { 'pre-commit': '#!/usr/bin/env node\n' }) },
  { name: 'lefthook, a trivial command', prepare: lefthook },
  { name: 'husky + commitlint', prepare: repo => husky(repo, { 'commit-msg': 'commitlint --edit "$1"\n' }) },
  { name: 'husky + lint-staged', prepare: repo => husky(repo, { 'pre-commit': 'lint-staged --quiet\n' }) },
]

/** Puts the tools where a project has them. */
async function tools(repo: Repo): Promise<void> {
  await symlink(npmPackages(...PACKAGES), join(repo.root, 'node_modules'))
  await repo.write('.git/info/exclude', 'node_modules\n')
}

async function underHusky(repo: Repo): Promise<void> {
  await tools(repo)
  await play(repo, 'node node_modules/husky/bin.js')
  await adoptForBench(repo, { hooks: 'husky' })
}

async function husky(repo: Repo, hooks: Readonly<Record<string, string>>): Promise<void> {
  await tools(repo)
  await play(repo, 'node node_modules/husky/bin.js')
  for (const [hook, text] of Object.entries(hooks)) await repo.write(`.husky/${hook}`, text)
  await repo.write('.commitlintrc.json', '{ "extends": ["@commitlint/config-conventional"] }\n')
  await repo.write('.lintstagedrc.json', '{ "*": "true" }\n')
  await settle(repo)
}

async function lefthook(repo: Repo): Promise<void> {
  await tools(repo)
  await repo.write('lefthook.yml', 'output: false\npre-commit:\n  commands:\n    trivial:\n      run: "true"\n')
  await play(repo, 'node node_modules/lefthook/bin/index.js install')
  await settle(repo)
}

// What the tool itself needs is committed, so that each round has one changed file.
async function settle(repo: Repo): Promise<void> {
  await play(repo, "git add --all && git -c core.hooksPath=/dev/null commit --quiet --message 'chore: tools'")
}

async function play(repo: Repo, commands: string): Promise<void> {
  const { code, stdout, stderr } = await repo.run('sh', ['-c', commands])
  if (code !== 0) throw new Error(`${commands} ended with ${code}:\n${stderr}${stdout}`)
}
