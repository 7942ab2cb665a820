/** A commit's oid in text: git takes it back, and so do all verbs. */
export function shortOid(oid: string): string {
  return oid.slice(0, OID_LENGTH)
}

/** A text with each whole oid in it shortened, such as a range that a pipeline names. */
export function withShortOids(text: string): string {
  return text.replace(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g, shortOid)
}

const OID_LENGTH = 10

/** A session's id in text: the first part of a UUID. Other ids are of any form, and may differ in their ends alone. */
export function shortSession(id: string): string {
  return UUID.test(id) ? id.slice(0, UUID_PART_LENGTH) : id
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const UUID_PART_LENGTH = 8
