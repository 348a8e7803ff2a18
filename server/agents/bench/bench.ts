// Tests an agent with the shipped conversations: same prompts, model and rules as for a real answer, but
// nothing is sent.
import { BENCH_CASES, BENCH_FACTS } from '#domain/agent/bench-cases.ts'
import {
  type BenchCase,
  benchFault,
  type BenchLine,
  type MadeCase,
  toBenchCase,
} from '#domain/agent/bench.ts'
import type { PromptField } from '#domain/agent/agent.ts'
import { withoutIntroduction } from '#domain/agent/turn.ts'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database } from '#server/db/database.ts'
import { instant } from '#server/db/instant.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { Usage } from '#server/agents/engine/endpoint.ts'
import type { Engine } from '#server/agents/engine/engine.ts'
import { NOTHING_SAID, think } from '#server/agents/turns/think.ts'
import { SAY_NOTHING } from '#server/agents/turns/tools.ts'
import type { TurnMaterial } from '#server/agents/turns/turn.ts'
import { toAnonymousCase } from './anonymous-case.ts'

/** Concurrent calls of the model. */
const AT_ONCE = 3

type Parts = { db: Database; clock: Clock; log: Log; engine: Engine | null }
type Facts = TurnMaterial['facts']
type Begun = {
  name: string
  development: string | null
  runs: { runId: number; texts: string[] }[]
  own: MadeCase[]
  facts: Facts
}
type Run = Pick<Begun, 'name' | 'development'> & Begun['runs'][number]
type Tested = Pick<Run, 'name' | 'development' | 'texts'>
/** A test with the facts that the agent may use. Tests that administrators made use the facts of today. */
type Asked = { tried: BenchCase; facts: Facts }
type CaseMaterial = { contactId: number; name: string | null; lines: BenchLine[] }
export type NewCase = { operationId: string; turnId: number; handsOver: boolean }

type RunView = {
  id: number
  by: string
  model: string
  beganAt: string
  endedAt: string | null
  cases: number
  results: { id: string; fault: string | null; body: string | null }[]
}
/** The answer of portal.bench_of. */
export type BenchView = {
  isCurrent: boolean
  mark: string
  draft: { by: string; at: string; fields: PromptField[] } | null
  run: RunView | null
  before: RunView | null
  own: MadeCase[]
}

export type Bench = ReturnType<typeof createBench>

/** Runs one test with a model; returns its result and the tokens it took. Tools do nothing in a test. */
export async function tryCase(
  parts: { engine: Engine; clock: Clock; log: Log },
  { agent, tried, facts }: Asked & { agent: Tested },
) {
  const spent = { inputTokens: 0, outputTokens: 0 }
  const calls: string[] = []
  const store = {
    noteUsage: (_turn: number, _model: string, usage: Usage) => {
      spent.inputTokens += usage.inputTokens
      spent.outputTokens += usage.outputTokens
      return Promise.resolve()
    },
    runTool: (_turn: number, { name }: { name: string }) => {
      calls.push(name)
      return Promise.resolve(
        name === 'buscar_fatos' ? listOf(facts) : name === SAY_NOTHING ? NOTHING_SAID : 'Feito.',
      )
    },
  }
  const { body, reason } = await think({ ...parts, store }, materialOf(agent, tried, facts))
  // The portal adds an introduction by itself. It is removed here, because it would pass some tests for the model.
  const said = body === null ? null : withoutIntroduction(body, agent.development)
  return { result: { id: tried.id, fault: benchFault(tried, { body: said, reason, calls }), body }, spent }
}

export function createBench({ db, clock, log, engine }: Parts) {
  const ask = createAsking(db)

  /** Raises `agent.no-model`, `agent.unknown` and `bench.running`. The run goes on after this returns. */
  async function start(claims: Claims, agentId: number): Promise<void> {
    if (!engine)
      throw new PortalError('agent.no-model', 'Sem motor: não há um modelo para testar.', { status: 409 })
    const { runs, own, facts, ...agent } = await ask.one<Begun>(
      claims,
      'select portal.begin_bench($1, $2, $3, $4) as answer',
      [agentId, engine.model, BENCH_CASES.length, instant(clock.now())],
    )
    const asked = [
      ...BENCH_CASES.map((tried) => ({ tried, facts: BENCH_FACTS })),
      ...own.map((made) => ({ tried: toBenchCase(made), facts })),
    ]
    void runAll(
      engine,
      asked.flatMap((one) => runs.map((run) => ({ run: { ...agent, ...run }, ...one }))),
    ).catch((error: unknown) => log.error('bench.failed', { agentId, ...errorFields(error) }))
  }

  /** The runs advance together, case by case, so that they can be compared early. */
  async function runAll(model: Engine, left: (Asked & { run: Run })[]) {
    const lane = async () => {
      for (let next = left.shift(); next; next = left.shift()) await runOne(model, next)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
  }

  async function runOne(model: Engine, { run, tried, facts }: Asked & { run: Run }) {
    const { result, spent } = await tryCase({ engine: model, clock, log }, { agent: run, tried, facts })
    await db.query('select portal.note_bench($1, $2::jsonb, $3, $4, $5)', [
      run.runId,
      JSON.stringify(result),
      spent.inputTokens,
      spent.outputTokens,
      instant(clock.now()),
    ])
  }

  /** The test that a turn would become. Raises `turn.unknown` and `turn.unread`. */
  async function preview(claims: Claims, agentId: number, turnId: number) {
    const { contactId, name, lines } = await ask.one<CaseMaterial>(
      claims,
      'select portal.case_material($1, $2) as answer',
      [agentId, turnId],
    )
    return { contactId, ...toAnonymousCase(lines, name) }
  }

  return {
    start,
    preview: async (claims: Claims, agentId: number, turnId: number) => {
      const { title, lines } = await preview(claims, agentId, turnId)
      return { title, lines }
    },
    /** Raises the errors of `preview`, and `case.too-many`. */
    addCase: async (claims: Claims, agentId: number, { operationId, turnId, handsOver }: NewCase) => {
      const made = await preview(claims, agentId, turnId)
      return ask.one<{ id: number }>(claims, 'select portal.add_bench_case($1, $2::jsonb) as answer', [
        agentId,
        JSON.stringify({ ...made, operationId, handsOver }),
      ])
    },
    removeCase: (claims: Claims, agentId: number, caseId: number) =>
      ask.one<unknown>(claims, 'select portal.remove_bench_case($1, $2) as answer', [agentId, caseId]),
    view: (claims: Claims, agentId: number) =>
      ask.one<BenchView>(claims, 'select portal.bench_of($1) as answer', [agentId]),
  }
}
const listOf = (facts: Facts) => facts.map(({ label, value }) => `${label}: ${value}`).join('\n')

const materialOf = (
  { name, development, texts }: Tested,
  { lines }: BenchCase,
  facts: Facts,
): TurnMaterial => ({
  turnId: 0,
  kind: 'answer',
  agent: { name, development, texts },
  facts,
  lead: { name: 'Tiago Meireles', stage: 'Novos Contatos', development, notes: null },
  lines: lines.map(({ by, text, kind = 'text' }) => ({ by, text, kind })),
  visit: null,
  now: '2026-11-23 10:00',
})
