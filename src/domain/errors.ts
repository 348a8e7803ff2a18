// The error for faults that a person can cause or must read. Anything else is a bug and keeps its own type.

/** `code` is noun.reason for machines and logs; `message` is Portuguese and tells the person what to do. */
export class PortalError extends Error {
  override readonly name = 'PortalError'
  readonly code: string
  readonly status: number

  constructor(code: string, message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.status = options.status ?? 400
  }
}
