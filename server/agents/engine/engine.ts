// The model that writes for the agents: any chat endpoint that speaks as OpenAI's does. Neither key nor text is ever in a log or an error.
import * as v from 'valibot'
import { hasPassed, type Clock } from '#server/clock.ts'
import type { Log } from '#server/log.ts'

export type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: readonly ToolCall[] }
  | { role: 'tool'; content: string; toolCallId: string }

export type ToolCall = { id: string; name: string; args: Record<string, unknown> }
/** `parameters` is a JSON schema. */
export type Tool = { name: string; description: string; parameters: object }

export type Completion = {
  text: string
  toolCalls: ToolCall[]
  /** As the endpoint counts them; 0 where it does not say. */
  usage: { inputTokens: number; outputTokens: number }
}

export type Engine = {
  model: string
  /** It answers by rules and understands nothing: for the demonstration alone, and the screen says so. */
  isDemo: boolean
  /** Rejects with EngineError only. */
  complete(asked: { messages: readonly ChatMessage[]; tools: readonly Tool[] }): Promise<Completion>
}

export type EngineFault =
  | 'unreachable'
  | 'late'
  | 'limited' // 429: too many calls, or no credit
  | 'refused' // any other 4xx: our request or our key was wrong
  | 'failed' // 5xx
  | 'unreadable' // no chat completion
  | 'resting' // it failed so often that it is left alone for a while

export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly fault: EngineFault
  /** For the log. */
  readonly code: string

  constructor(fault: EngineFault) {
    super(`the model did not answer: ${fault}`)
    this.fault = fault
    this.code = `engine.${fault}`
  }
}

export type EndpointOptions = {
  /** As 'https://host/v1'; a path like '/chat/completions' is added. */
  url: string
  /** None: an endpoint of one's own that asks for none. */
  key: string | undefined
  clock: Clock
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}
type EngineOptions = EndpointOptions & { model: string; log: Log }

const LIMIT_MS = 20_000
const TRIES = 2
/** An answer is a WhatsApp message. */
const MAX_TOKENS = 600
const MOST_ANSWER_BYTES = 256 * 1024
/** So many calls in a row without an answer, and nobody asks for so long. */
const FAILS_TO_REST = 5
const REST_MS = 30_000

/** Another try may go better. */
const PASSING: ReadonlySet<EngineFault> = new Set(['unreachable', 'late', 'limited', 'failed', 'unreadable'])

export function createEngine(options: EngineOptions): Engine {
  const { clock, log, model } = options
  let failsInARow = 0
  let failedAtMs = -Infinity

  async function once(body: string): Promise<Completion> {
    const startedAtMs = clock.now()
    try {
      const answer = await post(options, body)
      failsInARow = 0
      return answer
    } catch (error) {
      const fault = error instanceof EngineError ? error : new EngineError('unreadable')
      failsInARow += 1
      failedAtMs = clock.now()
      log.warn('engine.failed', { fault: fault.fault, durationMs: clock.now() - startedAtMs })
      throw fault
    }
  }

  return {
    model,
    isDemo: false,
    complete: async ({ messages, tools }) => {
      const body = JSON.stringify(requestOf(model, messages, tools))
      for (let tried = 1; ; tried += 1) {
        if (failsInARow >= FAILS_TO_REST && !hasPassed(clock, failedAtMs, REST_MS))
          throw new EngineError('resting')
        try {
          return await once(body)
        } catch (error) {
          if (!(error instanceof EngineError) || !PASSING.has(error.fault) || tried === TRIES) throw error
        }
      }
    },
  }
}

function requestOf(model: string, messages: readonly ChatMessage[], tools: readonly Tool[]) {
  return {
    model,
    messages: messages.map(toWire),
    max_tokens: MAX_TOKENS,
    temperature: 0.3,
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
  }
}

function toWire(message: ChatMessage) {
  if (message.role === 'tool')
    return { role: 'tool', content: message.content, tool_call_id: message.toolCallId }
  if (message.role === 'assistant' && message.toolCalls?.length)
    return {
      role: 'assistant',
      content: message.content,
      tool_calls: message.toolCalls.map(({ id, name, args }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      })),
    }
  return { role: message.role, content: message.content }
}

const post = async (options: EngineOptions, body: string) =>
  read(await sendToModel(options, '/chat/completions', { type: 'application/json', body }))

/** Rejects with EngineError only. `type`: none where the body says it by itself. */
export async function sendToModel(
  { url, key, clock, fetch = globalThis.fetch }: EndpointOptions,
  path: string,
  { type, body, limitMs = LIMIT_MS }: { type?: string; body: string | FormData; limitMs?: number },
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
      // A redirect would carry the key, and what a lead wrote, elsewhere.
      redirect: 'manual',
      signal: late.signal,
    })
    if (response.status === 429) throw new EngineError('limited')
    if (response.status >= 500) throw new EngineError('failed')
    if (!response.ok) throw new EngineError('refused')
    return await textOf(response)
  } catch (error) {
    if (error instanceof EngineError) throw error
    throw new EngineError(late.signal.aborted ? 'late' : 'unreachable')
  } finally {
    answered.abort()
  }
}

/** No more of it than an answer can be. */
async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MOST_ANSWER_BYTES) throw new EngineError('unreadable')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000_000))
const Answer = v.object({
  choices: v.pipe(
    v.array(
      v.object({
        message: v.object({
          content: v.nullish(v.string(), ''),
          tool_calls: v.nullish(
            v.array(
              v.object({ id: v.string(), function: v.object({ name: v.string(), arguments: v.string() }) }),
            ),
            [],
          ),
        }),
      }),
    ),
    v.minLength(1),
  ),
  usage: v.nullish(v.object({ prompt_tokens: v.nullish(count, 0), completion_tokens: v.nullish(count, 0) })),
})

function read(text: string): Completion {
  const answer = v.safeParse(Answer, parse(text))
  const message = answer.success ? answer.output.choices[0]?.message : undefined
  if (!answer.success || !message) throw new EngineError('unreadable')
  const { usage } = answer.output
  return {
    text: message.content,
    toolCalls: message.tool_calls.map(({ id, function: { name, arguments: args } }) => ({
      id,
      name,
      args: argsOf(args),
    })),
    usage: { inputTokens: usage?.prompt_tokens ?? 0, outputTokens: usage?.completion_tokens ?? 0 },
  }
}

const Args = v.record(v.string(), v.unknown())

/** What is no object is none at all: the tool says what it misses. */
function argsOf(text: string): Record<string, unknown> {
  const args = v.safeParse(Args, parse(text === '' ? '{}' : text))
  return args.success ? args.output : {}
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
