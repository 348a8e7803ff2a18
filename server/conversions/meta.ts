// Sends one event to Meta and returns the result. Operators may change the address; redirects are not followed.
import http from 'node:http'
import https from 'node:https'
import * as v from 'valibot'
import { isOfAccess } from '#domain/conversion.ts'
import type { Clock } from '#server/clock.ts'

/**
 * `refused`: a retry would fail again. `again`: a retry may succeed. `stop`: the token or a permission is at fault.
 * `unsure`: the event may have left, and no answer says whether Meta took it.
 */
export type Became = 'sent' | 'refused' | 'again' | 'stop' | 'unsure'
export type Verdict = {
  became: Became
  status: number | null
  /** Meta's message, or a code: `connection`, `late`, `cut`, `unreadable`, `not-taken`, `status`, `token-lost`. */
  fault: string | null
  code: number | null
  subcode: number | null
  trace: string | null
}

/** Never rejects. */
export type SendConversion = (event: { dataset: string; token: string; body: string }) => Promise<Verdict>

const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024

const Taken = v.looseObject({ events_received: v.number(), fbtrace_id: v.optional(v.string()) })
const Refusal = v.looseObject({
  error: v.looseObject({
    message: v.optional(v.string()),
    error_user_msg: v.optional(v.string()),
    code: v.optional(v.number()),
    error_subcode: v.optional(v.number()),
    fbtrace_id: v.optional(v.string()),
  }),
})

/** Meta's codes for being busy and for rate limits. */
const PASSING = new Set([1, 2, 4, 17, 32, 341, 368, 613, 80_004])

const NOTHING = { status: null, fault: null, code: null, subcode: null, trace: null }

type Sent =
  { status: number; text: string } | { became: 'again' | 'unsure'; fault: string; status: number | null }

export function createSendConversion(base: string, clock: Pick<Clock, 'sleep'>): SendConversion {
  return async ({ dataset, token, body }) => {
    const answered = new AbortController()
    const late = new AbortController()
    void clock.sleep(TIMEOUT_MS, answered.signal).then(() => answered.signal.aborted || late.abort())
    const sent = await request(`${base.replace(/\/+$/, '')}/${encodeURIComponent(dataset)}/events`, {
      token,
      body,
      signal: late.signal,
    })
    answered.abort()
    if (!('text' in sent)) return { ...NOTHING, ...sent }
    const verdict = verdictOf(sent.status, sent.text)
    // Meta's message can quote the token.
    return { ...verdict, fault: verdict.fault?.replaceAll(token, '…') ?? null }
  }
}

type Sending = { token: string; body: string; signal: AbortSignal }

/** The token goes in a header, because URLs end up in logs. */
function request(url: string, { token, body, signal }: Sending): Promise<Sent> {
  return new Promise((resolve) => {
    let hasLeft = false
    let status: number | null = null
    const fail = () =>
      resolve({
        became: hasLeft ? 'unsure' : 'again',
        fault: signal.aborted ? 'late' : hasLeft ? 'cut' : 'connection',
        status,
      })
    const sending = (url.startsWith('https:') ? https : http).request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        authorization: `Bearer ${token}`,
      },
      signal,
      agent: false,
    })
    sending.on('socket', (socket) => {
      const ready = url.startsWith('https:') ? 'secureConnect' : 'connect'
      socket.once(ready, () => {
        hasLeft = true
      })
    })
    sending.on('error', fail)
    sending.on('response', (response) => {
      status = response.statusCode ?? 0
      const parts: Buffer[] = []
      let sizeBytes = 0
      response.on('data', (part: Buffer) => {
        sizeBytes += part.length
        if (sizeBytes <= MAX_BYTES) parts.push(part)
      })
      response.on('error', fail)
      response.on('aborted', fail)
      response.on('end', () => resolve({ status: status ?? 0, text: Buffer.concat(parts).toString('utf8') }))
    })
    sending.end(body)
  })
}

function verdictOf(status: number, text: string): Verdict {
  const answer = parse(text)
  const taken = v.safeParse(Taken, answer)
  const refusal = v.safeParse(Refusal, answer)
  const error = refusal.success ? refusal.output.error : {}
  const told = {
    status,
    code: error.code ?? null,
    subcode: error.error_subcode ?? null,
    trace: error.fbtrace_id ?? (taken.success ? (taken.output.fbtrace_id ?? null) : null),
  }
  const words = error.error_user_msg ?? error.message ?? null
  const became = (result: Became, fault: string): Verdict => ({
    ...told,
    became: result,
    fault: words ?? fault,
  })
  if (status >= 200 && status < 300) {
    if (refusal.success) return became('refused', 'status')
    if (!taken.success) return became('unsure', 'unreadable')
    return taken.output.events_received === 1
      ? { ...told, became: 'sent', fault: null }
      : became('refused', 'not-taken')
  }
  if (isOfAccess(told)) return became('stop', 'status')
  const isPassing =
    status === 408 || status === 429 || status >= 500 || (told.code !== null && PASSING.has(told.code))
  return became(isPassing ? 'again' : 'refused', 'status')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
