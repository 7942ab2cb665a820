// Packages of npm, downloaded once.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The `node_modules` of a folder into which npm has put these packages, once for a whole run. No install script of
 * theirs runs: some of them would write hooks into the repository that they believe to be in.
 */
export function npmPackages(...packages: readonly string[]): string {
  const run = process.env['KOTEF_TEST_RUN'] ?? ''
  const folder = join(run, 'tools', packages.join('+').replaceAll(/[^\w.@+-]/g, '_'))
  if (!existsSync(folder)) installPackages(folder, ...packages)
  return join(folder, 'node_modules')
}

/** Has npm put packages into a new folder. Of two who want it at once each makes its own, and one keeps its place. */
export function installPackages(folder: string, ...packages: readonly string[]): void {
  const own = `${folder}.${process.pid}`
  mkdirSync(own, { recursive: true })
  const words = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--no-save', '--silent']
  execFileSync('npm', [...words, '--prefix', own, ...packages], { cwd: own, env: npmEnvironment(), stdio: 'pipe' })
  if (!existsSync(folder)) renameSync(own, folder)
}

/** The environment in which npm finds its settings, its cache and the certificates of its registry. */
export function npmEnvironment(): NodeJS.ProcessEnv {
  const {
    HOME = '',
    NODE_EXTRA_CA_CERTS = '',
    KOTEF_TEST_HOME = HOME,
    KOTEF_TEST_CA_CERTS = NODE_EXTRA_CA_CERTS,
  } = process.env
  return { ...process.env, HOME: KOTEF_TEST_HOME, NODE_EXTRA_CA_CERTS: KOTEF_TEST_CA_CERTS }
}
