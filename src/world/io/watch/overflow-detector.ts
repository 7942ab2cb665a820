/**
 * Detects that the system's queue of events may have overflowed, which Node does not report. A turn of the event loop
 * reads the queue to its end. So after a turn with half as many events as the queue holds, it may have been full.
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
