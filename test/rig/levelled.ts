// What a program prints, without what differs from one run to the next.

/** A text in which each day, time, commit and id has one spelling. */
export function levelled(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/\b\d\d:\d\d:\d\d\b/g, '<time>')
    .replace(/\b\d{4}-\d\d-\d\d\b/g, '<day>')
    .replace(/\b[0-9a-f]{10}\b/g, '<commit>')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/pid \d+/g, 'pid <pid>')
    .replace(/"revision":"[0-9a-f]{40}"/g, '<revision>')
    .replace(/"(prev|hash)":"[0-9a-f]{64}"/g, '<hash>')
}
