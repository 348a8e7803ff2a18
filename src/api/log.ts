// The app's log. The diagnostics page shows its last entries, which are in memory only.

export type LogEntry = { atMs: number; level: 'info' | 'warn' | 'error'; event: string; detail: string }

const MAX_ENTRIES = 200
const lines: LogEntry[] = []

function write(level: LogEntry['level'], event: string, cause?: unknown) {
  lines.push({ atMs: Date.now(), level, event, detail: describe(cause) })
  if (lines.length > MAX_ENTRIES) lines.shift()
}

function describe(cause: unknown): string {
  if (cause === undefined) return ''
  if (typeof cause === 'string') return cause
  if (!(cause instanceof Error)) return JSON.stringify(cause)
  return `${cause.name}: ${'code' in cause ? `${String(cause.code)} ` : ''}${cause.message}`
}

/**
 * `event` is a name such as noun.verb. `cause` is an error or a short fact, never a token, a whole phone number or a
 * message's text.
 */
export const log = {
  info: (event: string, cause?: unknown) => write('info', event, cause),
  warn: (event: string, cause?: unknown) => write('warn', event, cause),
  error: (event: string, cause?: unknown) => write('error', event, cause),
  recent: (): readonly LogEntry[] => lines.toReversed(),
}
