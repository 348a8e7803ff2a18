// Composes the agents module: administration, suggestions and automatic answers.
import type { RateLimit } from '#server/http/rate-limit.ts'
import type { Parts } from '#server/parts.ts'
import { createAgentRoutes } from './agent-routes.ts'
import { createAgents } from './agents.ts'
import { createBench } from './bench/bench.ts'
import { createDraftRoutes } from './draft-routes.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import { createModelStore } from './engine/model-store.ts'
import { createRulesModel } from './engine/rules-model.ts'
import { createTranscriber, type Transcriber } from './engine/transcriber.ts'
import { createModelTrial } from './engine/trial.ts'
import { noteModel } from './setup-store.ts'
import { createAnswers } from './turns/answer-worker.ts'
import { createAssistRoutes } from './turns/assist-routes.ts'
import { createAssist } from './turns/suggest.ts'
import { createSummaries } from './turns/summary.ts'
import { createTranscripts, type TranscriptParts } from './turns/transcripts.ts'

type Options = {
  memberOf: Parameters<typeof createAgentRoutes>[1]
  rateLimit: RateLimit
  findMedia: TranscriptParts['find']
  /** Called when an agent's answer was queued for the instance. */
  onQueued: (instanceName: string) => void
}

export async function createAgentModule(parts: Parts, options: Options) {
  const { db, settings } = parts
  const { memberOf, rateLimit, findMedia, onQueued } = options
  const endpoint = openEndpoint(parts)
  const engine = endpoint?.engine ?? (settings.isDemo ? createRulesModel() : null)
  await noteModel(db, engine)
  const transcriber = openTranscriber(parts)
  const voiceModel = transcriber?.model ?? null
  const agents = createAgents({ ...parts, backend: settings.agentsBackend, engine, voiceModel })
  const bench = createBench({ ...parts, engine })
  const assist = createAssist({ ...parts, engine })
  const summarize = createSummaries({ ...parts, engine })
  const transcripts = createTranscripts({ ...parts, find: findMedia, transcriber })
  const answers = createAnswers({ ...parts, engine, voices: transcripts, onQueued })
  return {
    /** Routes for /api/agents, /api/prompts and /api/assist. */
    routes: {
      agents: createAgentRoutes({ agents, bench, trial: endpoint?.trial ?? null }, memberOf),
      prompts: createDraftRoutes(db, memberOf),
      assist: createAssistRoutes({ assist, transcripts, summarize }, { memberOf, rateLimit }),
    },
    forgetElsewhere: agents.forgetElsewhere,
    /** State of the text model; null if none is configured. */
    model: () => endpoint?.state() ?? null,
    /** Starts the answer worker and the endpoint's test; the returned function stops both. */
    start: () => {
      const stops = [answers, endpoint?.trial].map((worker) => worker?.start())
      return async () => void (await Promise.all(stops.map(async (stop) => stop?.())))
    },
  }
}

function openTranscriber({ settings: { agentModel }, clock }: Parts): Transcriber | null {
  if (!agentModel?.transcribeModel) return null
  return createTranscriber({ ...agentModel, model: agentModel.transcribeModel, clock })
}

/** The configured model with its stored state; null if none is configured. */
function openEndpoint(parts: Parts) {
  const { settings, clock, log } = parts
  if (!settings.agentModel) return null
  const store = createModelStore(parts, settings.agentModel)
  const engine: Engine = createEngine({ ...settings.agentModel, clock, log, memory: store.memory })
  return { engine, state: store.state, trial: createModelTrial({ engine, store, clock, log }) }
}
