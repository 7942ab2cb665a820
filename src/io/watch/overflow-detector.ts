/**
 * Notices that the system's queue of events may have run over, which it does without a word: a turn of the event loop
 * reads the queue to its end, so a turn that brought half of what the queue holds began with a queue that was filling
 * faster than it was read.
 */
export function overflowDetector(queueLength: number): { event(): void; turnEnds(): boolean } {
  let events = 0
  return {
    event: () => void events++,
    turnEnds: () => {
      const suspicious = events >= queueLength / 2
      events = 0
      return suspicious
    },
  }
}
