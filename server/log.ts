// The log: one JSON line for each event; never a token, a message body or a whole number.

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
type Fields = Record<string, string | number | boolean | null | undefined>

export type Log = Record<LogLevel, (event: string, fields?: Fields) => void>

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 }

/** Writes lines at or above `level` with `write`; `event` is noun.verb. */
export function createLog(
  level: LogLevel,
  write: (line: string) => void = (line) => process.stderr.write(line + '\n'),
): Log {
  const at =
    (lineLevel: LogLevel) =>
    (event: string, fields: Fields = {}) => {
      if (RANK[lineLevel] >= RANK[level])
        write(JSON.stringify({ time: new Date().toISOString(), level: lineLevel, event, ...fields }))
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** The loggable parts of a thrown value. */
export function errorFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return {
    error: error.name,
    code,
    message: error.message,
    stack: error.stack?.split('\n').slice(1, 6).join(' | '),
  }
}
