// Agents put together: as they are managed, what they suggest, and what they answer by themselves.
import type { RateLimit } from '#server/http/rate-limit.ts'
import type { Parts } from '#server/parts.ts'
import { createAgentRoutes } from './agent-routes.ts'
import { createAgents } from './agents.ts'
import { createBench } from './bench/bench.ts'
import { createDraftRoutes } from './draft-routes.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import { createRulesModel } from './engine/rules-model.ts'
import { createTranscriber, type Transcriber } from './engine/transcriber.ts'
import { noteModel } from './setup-store.ts'
import { createAnswers } from './turns/answer-worker.ts'
import { createAssistRoutes } from './turns/assist-routes.ts'
import { createAssist } from './turns/suggest.ts'
import { createTranscripts, type TranscriptParts } from './turns/transcripts.ts'

type Options = {
  memberOf: Parameters<typeof createAgentRoutes>[2]
  rateLimit: RateLimit
  findMedia: TranscriptParts['find']
  /** An agent's answer was queued for the instance. */
  onQueued: (instanceName: string) => void
}

export async function createAgentModule(parts: Parts, options: Options) {
  const { db, settings } = parts
  const { memberOf, rateLimit, findMedia, onQueued } = options
  const engine = openEngine(parts)
  await noteModel(db, engine)
  const transcriber = openTranscriber(parts)
  const voiceModel = transcriber?.model ?? null
  const agents = createAgents({ ...parts, backend: settings.agentsBackend, engine, voiceModel })
  const bench = createBench({ ...parts, engine })
  const assist = createAssist({ ...parts, engine })
  const transcripts = createTranscripts({ ...parts, find: findMedia, transcriber })
  return {
    /** For /api/agents, /api/prompts, /api/assist. */
    routes: {
      agents: createAgentRoutes(agents, bench, memberOf),
      prompts: createDraftRoutes(db, memberOf),
      assist: createAssistRoutes({ assist, transcripts }, { memberOf, rateLimit }),
    },
    forgetElsewhere: agents.forgetElsewhere,
    /** Starts the worker that answers; the answer stops it. */
    start: createAnswers({ ...parts, engine, voices: transcripts, onQueued }).start,
  }
}

function openTranscriber({ settings: { agentModel }, clock }: Parts): Transcriber | null {
  if (!agentModel?.transcribeModel) return null
  return createTranscriber({ ...agentModel, model: agentModel.transcribeModel, clock })
}

/** The model of the settings, the rules of the demonstration, or none. */
function openEngine({ settings: { agentModel, isDemo }, clock, log }: Parts): Engine | null {
  if (agentModel) return createEngine({ ...agentModel, clock, log })
  return isDemo ? createRulesModel() : null
}
