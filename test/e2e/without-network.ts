import { spawnSync } from 'node:child_process'

// A namespace of its own has nothing but a loopback, which is down at first.
const UNSHARE_ARGS = ['--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']

/** Runs this program once more where no network is but this machine's own; null when there is no such place here. */
export function rerunWithoutNetwork(env: Readonly<Record<string, string>>): number | null {
  if (spawnSync('unshare', [...UNSHARE_ARGS, 'true']).status !== 0) return null
  const words = [...UNSHARE_ARGS, process.execPath, ...process.argv.slice(1)]
  return spawnSync('unshare', words, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1
}
