import { statfs } from 'node:fs/promises'

/** The kind of the disk at a path if it reports no events for writes of other machines; null for any other disk. */
export async function silentDiskAt(path: string): Promise<string | null> {
  const type = await statfs(path).then(
    it => it.type,
    () => 0,
  )
  return silentDisk(type)
}

/** The name of such a kind of disk, by the type number of statfs(2). */
export function silentDisk(type: number): string | null {
  return SILENT_DISKS.get(type >>> 0) ?? null
}

// The numbers are those of Linux' include/uapi/linux/magic.h; drvfs, vmhgfs, prl_fs and Lustre have theirs in their own
// sources. sshfs and virtiofs have the number of FUSE. On other systems than Linux the numbers have other meanings.
const SILENT_DISKS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
  [0x53464846, 'drvfs'],
  [0x786f4256, 'vboxsf'],
  [0xbacbacbc, 'vmhgfs'],
  [0x7c7c6673, 'prl_fs'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x564c, 'NCP'],
  [0x0bd00bd0, 'Lustre'],
  [0x7461636f, 'OCFS2'],
])
