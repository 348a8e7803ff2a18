// Tests the model's endpoint as soon as it is configured: one question without tools and one with, so that an
// administrator sees what is wrong.
import type { Clock } from '#server/clock.ts'
import { instant } from '#server/db/instant.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker } from '#server/worker.ts'
import { EngineError, type Usage } from './endpoint.ts'
import type { Asked, Completion, Engine } from './engine.ts'
import type { Found, ModelStore } from './model-store.ts'

/** How often the portal checks whether a failed test is due again. */
const POLL_EVERY_MS = 60 * 60_000

/** The beginning of each question with which the portal tests an endpoint. */
export const TRIAL = 'Teste de conexão do portal.'
const system = (content: string) => ({ role: 'system' as const, content: `${TRIAL} ${content}` })
const PLAIN: Asked = {
  messages: [
    system('Responda em uma palavra.'),
    { role: 'user', content: 'Responda só com a palavra: pronto' },
  ],
  tools: [],
}
const WITH_TOOL: Asked = {
  messages: [
    system('Use a ferramenta buscar_fatos para responder.'),
    { role: 'user', content: 'Quantas vagas de garagem há? Procure com a ferramenta, com o tema "vaga".' },
  ],
  tools: [
    {
      name: 'buscar_fatos',
      description: 'Procura fatos sobre um tema do empreendimento.',
      parameters: {
        type: 'object',
        properties: { tema: { type: 'string', description: 'uma ou duas palavras' } },
        required: ['tema'],
      },
    },
  ],
}

type Parts = { engine: Pick<Engine, 'complete'>; store: ModelStore; clock: Clock; log: Log }

export type ModelTrial = ReturnType<typeof createModelTrial>

export function createModelTrial({ engine, store, clock, log }: Parts) {
  async function run(): Promise<Found> {
    const startedAtMs = clock.now()
    const answered = await end(engine.complete(PLAIN))
    const called = 'error' in answered ? null : await end(engine.complete(WITH_TOOL))
    const usage = [answered, called].map((one) => one && usageOf(one))
    const error = [answered, called].flatMap((one) => (one && 'error' in one ? one.error : []))[0] ?? null
    const found: Found = {
      at: instant(clock.now()),
      answers: !('error' in answered),
      tools: called && toolsOf(called),
      inputTokens: usage.reduce((sum, one) => sum + (one?.inputTokens ?? 0), 0),
      outputTokens: usage.reduce((sum, one) => sum + (one?.outputTokens ?? 0), 0),
      isEstimated: usage.some((one) => one?.isEstimated),
      seconds: (clock.now() - startedAtMs) / 1_000,
      fault: error?.fault ?? null,
      said: error?.said ?? null,
    }
    await store.endTrial(found)
    log.info('engine.tried', { answers: found.answers, tools: found.tools, fault: found.fault })
    return found
  }

  const worker = createWorker({
    name: 'model-trial',
    clock,
    everyMs: POLL_EVERY_MS,
    poll: async () => {
      if (await store.beginTrial(false)) await run()
      return false
    },
    onFailed: (error) => log.warn('engine.trial-failed', errorFields(error)),
  })

  return {
    start: worker.start,
    /** Runs the test now, whatever the last result was. */
    tryNow: async (): Promise<Found> => {
      await store.beginTrial(true)
      return run()
    },
  }
}

type End = Completion | { error: EngineError }

async function end(asking: Promise<Completion>): Promise<End> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof EngineError) return { error }
    throw error
  }
}

const usageOf = (one: End): Usage | null => ('error' in one ? one.error.usage : one.usage)

function toolsOf(called: End): Found['tools'] {
  if ('error' in called) return called.error.fault === 'no-tools' ? 'refused' : null
  return called.toolCalls.some(({ name }) => name === 'buscar_fatos') ? 'used' : 'ignored'
}
