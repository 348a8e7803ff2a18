// One request to a model's endpoint, and the meaning of its refusal. Neither the key nor any text reaches a
// log or an error message.
import type { Clock } from '#server/clock.ts'
import { isRecord, parseJson } from './json.ts'

export type EngineFault =
  | 'unreachable'
  | 'late'
  | 'limited' // 429: too many calls, or no credit
  | 'refused' // any other 4xx: our request or our key was wrong
  | 'failed' // 5xx, or an error inside an answer
  | 'unreadable' // no chat completion, or a text in a form that no lead may see
  | 'only-reasoning' // the model returned reasoning but no answer
  | 'cut' // the answer stopped in the middle of a sentence
  | 'filtered' // the endpoint filtered its own answer
  | 'no-tools' // the model takes no tools, and an answer needs them
  | 'resting' // too many failures in a row: no requests for a while

/** `isEstimated`: the endpoint returned no token counts, or impossible ones. */
export type Usage = { inputTokens: number; outputTokens: number; isEstimated: boolean }

export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly fault: EngineFault
  /** The error's name in the log. */
  readonly code: string
  /** The endpoint's own message, shown only to administrators. Null: it sent none. */
  readonly said: string | null
  /** The parameter that the endpoint names in its error. */
  readonly param: string | null
  /** Tokens that the failed call used. */
  usage: Usage | null = null
  /** True: the model used up the token limit by reasoning. */
  isOfThoughts = false

  constructor(fault: EngineFault, { said = null, param = null }: Said = {}) {
    super(`the model did not answer: ${fault}`)
    this.fault = fault
    this.code = `engine.${fault}`
    this.said = said
    this.param = param
  }
}

type Said = { said?: string | null; param?: string | null }

export type EndpointOptions = {
  /** Such as 'https://host/v1'; a path like '/chat/completions' is added. */
  url: string
  /** Undefined: the endpoint needs no authentication. */
  key: string | undefined
  clock: Clock
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

const TIMEOUT_MS = 20_000
/** Maximum size of an answer. It is large, because a stream repeats its envelope with each word. */
const MAX_ANSWER_BYTES = 1024 * 1024
/** Maximum characters of the endpoint's message. */
const MAX_SAID = 300

/** Rejects only with EngineError. `type`: undefined if fetch derives it from the body. */
export async function sendToModel(
  { url, key, clock, fetch = globalThis.fetch }: EndpointOptions,
  path: string,
  { type, body, limitMs = TIMEOUT_MS }: { type?: string; body: string | FormData; limitMs?: number },
): Promise<string> {
  const answered = new AbortController()
  const late = new AbortController()
  void clock.sleep(limitMs, answered.signal).then(() => answered.signal.aborted || late.abort())
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        ...(type !== undefined && { 'content-type': type }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body,
      // A redirect would send the key, and the lead's texts, to another host.
      redirect: 'manual',
      signal: late.signal,
    })
    const text = await textOf(response)
    if (!response.ok) throw refusalOf(response.status, text, key)
    return text
  } catch (error) {
    if (error instanceof EngineError) throw error
    throw new EngineError(late.signal.aborted ? 'late' : 'unreachable')
  } finally {
    answered.abort()
  }
}

/** The error for a status outside 2xx, or for an error status inside an answer of 200. */
export function refusalOf(status: number, text: string, key: string | undefined): EngineError {
  const fault = status === 429 ? 'limited' : status >= 500 || status < 400 ? 'failed' : 'refused'
  return new EngineError(status >= 300 && status < 400 ? 'refused' : fault, saidIn(text, key))
}

/** Endpoints use `{error: {message}}`, `{error}`, `{message}` and `{detail}`. */
function saidIn(text: string, key: string | undefined): Said {
  const body = parseJson(text)
  if (!isRecord(body)) return { said: /<\/?html/i.test(text) ? null : bounded(text, key) }
  const { error = body } = body
  if (!isRecord(error)) return { said: bounded(typeof error === 'string' ? error : '', key) }
  const words = [error['message'], body['message'], body['detail'], error['code']]
  const said = words.find((word) => typeof word === 'string')
  return {
    said: bounded(typeof said === 'string' ? said : JSON.stringify(error), key),
    param: typeof error['param'] === 'string' ? error['param'] : null,
  }
}

/** An endpoint may repeat the refused key, or a part of it. */
function bounded(said: string, key: string | undefined): string | null {
  const words = (key ? said.replaceAll(key, '…') : said)
    .replaceAll(/\b(?:sk|pk|rk|gsk|xai|key)[-_][\w*.-]{6,}|\bBearer\s+\S+/gi, '…')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return words === '' ? null : words.slice(0, MAX_SAID)
}

/** Reads the body of a response, at most as much as a valid answer can have. */
async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) throw new EngineError('unreadable')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
