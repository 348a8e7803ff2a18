// The text model of the agents: any chat endpoint with OpenAI's API, tolerant of its server's deviations.
import { hasPassed } from '#server/clock.ts'
import type { Log } from '#server/log.ts'
import { readAnswer, type Answer, type ToolCall } from './answer.ts'
import { EngineError, sendToModel, type EndpointOptions, type EngineFault, type Usage } from './endpoint.ts'
import { lessonOf, type Learnt } from './learnt.ts'
import { readSpoken } from './spoken.ts'
import type { Tool } from './text-calls.ts'

export type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: readonly ToolCall[] }
  | { role: 'tool'; content: string; toolCallId: string }

/** `usage`: sum of all calls for this completion. */
export type Completion = { text: string; toolCalls: ToolCall[]; usage: Usage }
export type Asked = { messages: readonly ChatMessage[]; tools: readonly Tool[] }

export type Engine = {
  model: string
  /** A demonstration model that answers by rules; the screen says so. */
  isDemo: boolean
  /** Rejects only with EngineError. */
  complete(asked: Asked): Promise<Completion>
}

/** Which parameters the model's endpoint refused before, so that the portal leaves them out. The database stores it. */
export type ModelMemory = {
  learnt(): Promise<Learnt>
  learn(lesson: Learnt): Promise<void>
  /** Null: the call succeeded. */
  noteEnd(error: EngineError | null): Promise<void>
}

type EngineOptions = EndpointOptions & {
  model: string
  log: Log
  /** Stores what the portal has learnt about the model. Undefined: only this process remembers it. */
  memory?: ModelMemory
}

const TRIES = 2
/** Maximum tokens of an answer, which is enough for a WhatsApp message. */
const MAX_TOKENS = 600
/** Maximum tokens for a model that reasons, because reasoning counts against the limit, too. */
const MAX_TOKENS_WITH_THOUGHTS = 4_000
/** After this many failures in a row, the portal sends no request for REST_MS. */
const FAILS_TO_REST = 5
const REST_MS = 30_000
const LETTERS_A_TOKEN = 4

/** Faults for which a retry may succeed. */
const PASSING: ReadonlySet<EngineFault> = new Set([
  'unreachable',
  'late',
  'limited',
  'failed',
  'unreadable',
  'only-reasoning',
  'cut',
])
/** Faults with which the endpoint works, but its text cannot be used. */
const OF_WORDS: ReadonlySet<EngineFault> = new Set(['only-reasoning', 'cut', 'filtered', 'no-tools'])

const SHORTER: ChatMessage = {
  role: 'system',
  content: 'Sua resposta passou do tamanho. Responda de novo, inteira, em no máximo duas frases curtas.',
}

export function createEngine(options: EngineOptions): Engine {
  const { clock, log, model, memory = forgetfulMemory() } = options
  let failsInARow = 0
  let failedAtMs = -Infinity

  async function noteEnd(error: EngineError | null) {
    await memory
      .noteEnd(error)
      .catch((reason: unknown) => log.warn('engine.not-noted', { reason: String(reason) }))
  }

  async function once(asked: Asked, learnt: Learnt): Promise<Completion> {
    const startedAtMs = clock.now()
    const body = JSON.stringify(requestOf(model, asked, learnt))
    try {
      const answered = readAnswer(
        await sendToModel(options, '/chat/completions', { type: 'application/json', body }),
        options.key,
      )
      failsInARow = 0
      return spokenOf(answered, asked, body)
    } catch (error) {
      const fault = error instanceof EngineError ? error : new EngineError('unreadable')
      log.warn('engine.failed', { fault: fault.fault, durationMs: clock.now() - startedAtMs })
      throw fault
    }
  }

  function count({ fault }: EngineError) {
    if (OF_WORDS.has(fault)) return
    failsInARow += 1
    failedAtMs = clock.now()
  }

  /** Calls the model with the learnt parameters; a refusal that teaches one is retried at once. */
  async function asTaught(asked: Asked, spent: Counter): Promise<Completion> {
    for (let learnt = await memory.learnt(); ; learnt = await memory.learnt()) {
      if (learnt.hasNoTools && asked.tools.length > 0) throw new EngineError('no-tools')
      try {
        return await once(asked, learnt)
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        const lesson =
          error.fault === 'refused' || error.fault === 'failed'
            ? lessonOf(error, learnt, asked.tools.length > 0)
            : error.isOfThoughts && !learnt.isReasoning && { isReasoning: true as const }
        if (!lesson) throw error
        spent.add(error.usage)
        await memory.learn(lesson)
        // This model takes no tools, and only another model helps.
        if (lesson.hasNoTools) throw new EngineError('no-tools', { said: error.said })
      }
    }
  }

  return {
    model,
    isDemo: false,
    complete: async ({ messages, tools }) => {
      const spent = counter()
      let asked: Asked = { messages, tools }
      for (let tried = 1; ; tried += 1) {
        if (failsInARow >= FAILS_TO_REST && !hasPassed(clock, failedAtMs, REST_MS))
          throw spent.on(new EngineError('resting'))
        try {
          const completion = await asTaught(asked, spent)
          await noteEnd(null)
          return { ...completion, usage: spent.with(completion.usage) }
        } catch (error) {
          if (!(error instanceof EngineError)) throw error
          count(error)
          spent.add(error.usage)
          if (error.fault === 'cut') asked = { messages: [...messages, SHORTER], tools }
          if (PASSING.has(error.fault) && tried < TRIES) continue
          await noteEnd(error)
          throw spent.on(error)
        }
      }
    },
  }
}

function forgetfulMemory(): ModelMemory {
  let learnt: Learnt = {}
  return {
    learnt: () => Promise.resolve(learnt),
    learn: (lesson) => {
      learnt = { ...learnt, ...lesson }
      return Promise.resolve()
    },
    noteEnd: () => Promise.resolve(),
  }
}

type Counter = ReturnType<typeof counter>

/** Sums up the usage of several calls. */
function counter() {
  let sum: Usage | null = null
  const add = (usage: Usage | null) => {
    if (usage) sum = sum ? plus(sum, usage) : usage
  }
  return {
    add,
    with: (usage: Usage): Usage => (sum ? plus(sum, usage) : usage),
    on: (error: EngineError) => {
      error.usage = sum
      return error
    },
  }
}

const plus = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  isEstimated: one.isEstimated || other.isEstimated,
})

function spokenOf(answer: Answer, { tools }: Asked, request: string): Completion {
  const usage = usageOf(answer, request)
  const fail = (fault: EngineFault, isOfThoughts = false): never => {
    const error = new EngineError(fault)
    error.usage = usage
    error.isOfThoughts = isOfThoughts
    throw error
  }
  const { finish, hasReasoned } = answer
  if (finish === 'content_filter') return fail('filtered')
  if (finish === 'error') return fail('failed')
  const spoken = readSpoken(answer.text, tools)
  const isWords = spoken.kind === 'words'
  if (finish === 'length')
    return fail('cut', hasReasoned || !isWords || spoken.hasReasoned || spoken.text === '')
  if (!isWords) return fail(spoken.fault)
  const toolCalls = [...answer.toolCalls, ...spoken.toolCalls]
  if (spoken.text === '' && toolCalls.length === 0 && hasReasoned) return fail('only-reasoning')
  return { text: spoken.text, toolCalls, usage }
}

/** Tokens that the endpoint does not count are estimated by the number of characters. */
function usageOf({ text, toolCalls, counted }: Answer, request: string): Usage {
  const written = text.length + (toolCalls.length > 0 ? JSON.stringify(toolCalls).length : 0)
  return {
    inputTokens: counted.input ?? Math.ceil(request.length / LETTERS_A_TOKEN),
    outputTokens: counted.output ?? Math.ceil(written / LETTERS_A_TOKEN),
    isEstimated: counted.input === null || counted.output === null || !counted.isWhole,
  }
}

function requestOf(model: string, { messages, tools }: Asked, learnt: Learnt) {
  const most = learnt.isReasoning ? MAX_TOKENS_WITH_THOUGHTS : MAX_TOKENS
  const { tokensName = 'max_tokens' } = learnt
  return {
    model,
    messages: messages.map(toWire),
    ...(tokensName !== null && { [tokensName]: most }),
    ...(!learnt.hasNoTemperature && { temperature: 0.3 }),
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
