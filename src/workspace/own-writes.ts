import { join } from 'node:path'
import { blobOid } from '../diff/blob.ts'
import { placesOf, type Workspace } from './workspace.ts'

/** Says beforehand that kotef itself is about to put these bytes into the tree, so that the daemon knows them. */
export async function announceOwnWrite(workspace: Workspace, bytes: Buffer): Promise<void> {
  await workspace.files.put(markerOf(workspace, blobOid(bytes)), '')
}

/** True when kotef itself wrote these bytes. */
export async function isOwnWrite(workspace: Workspace, oid: string): Promise<boolean> {
  return (await workspace.files.modifiedAt(markerOf(workspace, oid))) !== null
}

function markerOf(workspace: Workspace, oid: string): string {
  return join(placesOf(workspace).own, 'own-writes', oid)
}
