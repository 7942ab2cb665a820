/** Linux reports the start of a process in hundredths of a second. */
export const PROCESS_TICK_MS = 10

/** `ps` prints the start of a process in whole seconds, of a time that it rounds itself. */
export const PS_START_MS = 2000

/** How much later than a session's begin its process may seem to have started: the two have different clocks. */
export const PROCESS_CLOCK_MS = 2000
