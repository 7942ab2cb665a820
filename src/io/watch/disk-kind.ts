import { statfs } from 'node:fs/promises'

/** The kind of disk on which nobody is told of what others write: its name, or null where events can be trusted. */
export async function silentDiskAt(path: string): Promise<string | null> {
  const type = await statfs(path).then(
    it => it.type,
    () => 0,
  )
  return silentDisk(type)
}

/** The name of a kind of disk that tells nothing, by the type number that statfs(2) gives it. */
export function silentDisk(type: number): string | null {
  return SILENT_DISKS.get(type >>> 0) ?? null
}

// The numbers are those of Linux' include/uapi/linux/magic.h; drvfs, vmhgfs, prl_fs and Lustre have theirs in their own
// sources. sshfs and virtiofs show themselves as FUSE. Elsewhere than on Linux the numbers mean something else.
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
