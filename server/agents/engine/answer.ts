// Reads the 200 answers of a chat endpoint, in all forms that OpenAI-like servers use.
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { EngineError, refusalOf } from './endpoint.ts'
import { isRecord, parseJson } from './json.ts'

export type ToolCall = { id: string; name: string; args: Record<string, unknown> }

export type Answer = {
  /** The text exactly as the model's server sent it. It may still hold control tokens. */
  text: string
  toolCalls: ToolCall[]
  /** Why the model stopped; null if the endpoint does not say. */
  finish: string | null
  /** The model returned reasoning apart from its answer. */
  hasReasoned: boolean
  /** Token counts of the endpoint; null where they are missing or impossible. */
  counted: { input: number | null; output: number | null; isWhole: boolean }
}

const text = v.nullish(v.string(), '')
const Call = v.object({
  index: v.optional(v.unknown()),
  id: v.optional(v.unknown()),
  function: v.object({ name: text, arguments: v.nullish(v.unknown()) }),
})
const Message = v.object({
  content: v.nullish(v.unknown()),
  reasoning_content: v.optional(v.unknown()),
  reasoning: v.optional(v.unknown()),
  refusal: v.optional(v.unknown()),
  tool_calls: v.nullish(v.array(Call), []),
  function_call: v.nullish(Call.entries.function),
})
const Choice = v.object({
  message: v.nullish(Message),
  delta: v.nullish(Message),
  finish_reason: v.optional(v.unknown()),
})
const Body = v.object({
  choices: v.array(Choice),
  usage: v.optional(v.unknown()),
})
type Part = v.InferOutput<typeof Message>

/** Throws EngineError. */
export function readAnswer(body: string, key: string | undefined): Answer {
  const plain = body.replace(/^\uFEFF/, '').replace(/^(?:\s*:[^\n]*(?:\n|$)|\s+)+/, '')
  const pieces = /^(?:data|event|id|retry):/.test(plain) ? piecesOf(plain) : [parseJson(plain)]
  const bodies = pieces.map((piece) => {
    if (isRecord(piece) && piece['error'] !== undefined && piece['error'] !== null)
      throw refusalOf(statusIn(piece['error']), JSON.stringify(piece), key)
    const read = v.safeParse(Body, piece)
    if (!read.success) throw new EngineError('unreadable')
    return read.output
  })
  const choices = bodies.flatMap(({ choices: [first] }) => first ?? [])
  if (choices.length === 0) throw new EngineError('unreadable', { said: 'choices: []' })
  const parts = choices.flatMap(({ message, delta }) => message ?? delta ?? [])
  if (parts.some(({ refusal }) => refusal)) throw new EngineError('filtered')
  return {
    text: parts.map(({ content }) => wordsOf(content)).join(''),
    toolCalls: callsOf(parts),
    finish:
      choices.map(({ finish_reason: finish }) => finish).findLast((finish) => typeof finish === 'string') ??
      null,
    hasReasoned: parts.some((part) => isThere(part.reasoning_content) || isThere(part.reasoning)),
    counted: countedOf(bodies.map(({ usage }) => usage).findLast(isRecord) ?? {}),
  }
}

/** The data lines of an event stream. */
const piecesOf = (stream: string) =>
  stream
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trim())
    .filter((data) => data !== '' && data !== '[DONE]')
    .map(parseJson)

/** OpenRouter puts the status of its provider into an answer of 200. */
function statusIn(error: unknown): number {
  const code = isRecord(error) ? Number(error['code'] ?? error['status']) : Number.NaN
  return Number.isInteger(code) && code >= 400 && code < 600 ? code : 500
}

const isThere = (words: unknown) => words !== undefined && words !== null && words !== ''

/** Content is a text, or a list of parts of which only the texts count. */
function wordsOf(content: unknown): string {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) throw new EngineError('unreadable')
  return content
    .map((part: unknown) => {
      if (typeof part === 'string') return part
      const isText = isRecord(part) && (part['type'] === 'text' || part['type'] === 'output_text')
      return isText && typeof part['text'] === 'string' ? part['text'] : ''
    })
    .join('')
}

/** A stream delivers each tool call in pieces that share an index. */
function callsOf(parts: readonly Part[]): ToolCall[] {
  const calls = new Map<number, { id: string; name: string; args: unknown }>()
  for (const { tool_calls: wanted, function_call: older } of parts) {
    const all = older ? [...(wanted ?? []), { index: undefined, id: '', function: older }] : (wanted ?? [])
    for (const { index, id, function: asked } of all) {
      const place = typeof index === 'number' ? index : calls.size
      const known = calls.get(place) ?? { id: '', name: '', args: '' }
      const args = asked.arguments ?? ''
      calls.set(place, {
        id: known.id || (typeof id === 'string' ? id : ''),
        name: known.name + (asked.name ?? ''),
        args: typeof args === 'string' && typeof known.args === 'string' ? known.args + args : args,
      })
    }
  }
  return [...calls.values()].map(({ id, name, args }) => toCall(name, args, id))
}

/** Arguments that are no object count as missing; the tool then reports what it lacks. */
export function toCall(name: string, args: unknown, id = ''): ToolCall {
  const read = typeof args === 'string' ? parseJson(args === '' ? '{}' : args) : args
  return { id: id || randomUUID().replaceAll('-', '').slice(0, 9), name, args: isRecord(read) ? read : {} }
}

const MAX_TOKENS = 100_000_000

function countedOf(usage: Record<string, unknown>): Answer['counted'] {
  const [input, output] = [usage['prompt_tokens'], usage['completion_tokens']].map((count) =>
    typeof count === 'number' && count >= 0 && count <= MAX_TOKENS ? count : null,
  )
  return {
    // Zero tokens read is impossible, so the count is discarded.
    input: input ? Math.ceil(input) : null,
    output: typeof output === 'number' ? Math.ceil(output) : null,
    isWhole: Number.isInteger(input) && Number.isInteger(output),
  }
}
