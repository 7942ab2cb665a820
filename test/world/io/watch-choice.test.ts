import { expect, test } from 'vitest'
import { chooseBackend, silentDisk } from '../../../src/world/io/watch/watch-tree.ts'
import { overflowDetector } from '../../../src/world/io/watch/overflow-detector.ts'

test.each([
  ['auto', 'linux', null, 'directories', null],
  ['auto', 'linux', 'NFS', 'polling', /NFS.*`watch: \{ backend: directories \}`/],
  ['auto', 'darwin', null, 'chokidar', null],
  ['auto', 'win32', null, 'chokidar', null],
  ['directories', 'linux', 'NFS', 'directories', null],
  ['directories', 'darwin', null, 'chokidar', /works on Linux alone/],
  ['chokidar', 'linux', null, 'chokidar', null],
  ['polling', 'linux', null, 'polling', null],
] as const)('%s on %s, on a disk that is %s, is %s', (wish, platform, disk, name, why) => {
  const chosen = chooseBackend(wish, { platform, silentDisk: disk })
  expect(chosen.name).toBe(name)
  if (why === null) expect(chosen.why).toBeNull()
  else expect(chosen.why).toMatch(why)
})

test.each([
  ['ext4', 0xef53, null],
  ['btrfs', 0x9123683e, null],
  ['tmpfs', 0x01021994, null],
  ['overlayfs, as in a container', 0x794c7630, null],
  ['NFS', 0x6969, 'NFS'],
  ['CIFS, as a 32-bit system gives it', 0xff534d42 | 0, 'CIFS'],
  ['9p, as in WSL 2', 0x01021997, '9p'],
  ['virtiofs and sshfs', 0x65735546, 'FUSE'],
])('a disk of the kind %s is known', (_, type, name) => {
  expect(silentDisk(type)).toBe(name)
})

test('a turn with half a queue of events is suspicious, and only that turn', () => {
  const detector = overflowDetector(10)
  const turns = [0, 4, 5, 4, 10].map(events => {
    for (let n = 0; n < events; n++) detector.event()
    return detector.turnEnds()
  })
  expect(turns).toEqual([false, false, true, false, true])
})
