// Tries an agent with the shipped conversations: the same prompt, model and rules as an answer, and nothing of it reaches anybody.
import { BENCH_CASES, BENCH_FACTS, benchFault, type BenchCase } from '#domain/agent-bench.ts'
import type { PromptField } from '#domain/agent.ts'
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database } from '#server/db/database.ts'
import { errorFields, type Log } from '#server/log.ts'
import type { Engine } from '#server/agents/engine/engine.ts'
import { think } from '#server/agents/turns/think.ts'
import type { TurnMaterial } from '#server/agents/turns/turn.ts'

/** With the model at once. */
const AT_ONCE = 3

type Parts = { db: Database; clock: Clock; log: Log; engine: Engine | null }
type Begun = { name: string; development: string | null; runs: { runId: number; texts: string[] }[] }
type Run = Omit<Begun, 'runs'> & Begun['runs'][number]

type RunView = {
  id: number
  by: string
  model: string
  beganAt: string
  endedAt: string | null
  cases: number
  results: { id: string; fault: string | null; body: string | null }[]
}
/** As portal.bench_of gives it. */
export type BenchView = {
  isCurrent: boolean
  mark: string
  draft: { by: string; at: string; fields: PromptField[] } | null
  run: RunView | null
  before: RunView | null
}

export type Bench = ReturnType<typeof createBench>

export function createBench({ db, clock, log, engine }: Parts) {
  const ask = createAsking(db)

  /** Raises `agent.no-model`, `agent.unknown` and `bench.running`; what was begun goes on after the answer. */
  async function start(claims: Claims, agentId: number): Promise<void> {
    if (!engine)
      throw new PortalError('agent.no-model', 'Sem motor: não há um modelo para testar.', { status: 409 })
    const { runs, ...agent } = await ask.one<Begun>(
      claims,
      'select portal.begin_bench($1, $2, $3, $4) as answer',
      [agentId, engine.model, BENCH_CASES.length, instant(clock.now())],
    )
    void runAll(
      engine,
      runs.map((run) => ({ ...agent, ...run })),
    ).catch((error: unknown) => log.error('bench.failed', { agentId, ...errorFields(error) }))
  }

  /** Each case of all runs together, so that what is compared is seen side by side. */
  async function runAll(model: Engine, runs: readonly Run[]) {
    const left = BENCH_CASES.flatMap((tried) => runs.map((run) => ({ run, tried })))
    const lane = async () => {
      for (let next = left.shift(); next; next = left.shift()) await runOne(model, next.run, next.tried)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
  }

  async function runOne(model: Engine, run: Run, tried: BenchCase) {
    const spent = { inputTokens: 0, outputTokens: 0 }
    const calls: string[] = []
    const store = {
      noteUsage: (_turn: number, _model: string, usage: typeof spent) => {
        spent.inputTokens += usage.inputTokens
        spent.outputTokens += usage.outputTokens
        return Promise.resolve()
      },
      runTool: (_turn: number, { name }: { name: string }) => {
        calls.push(name)
        return Promise.resolve(name === 'buscar_fatos' ? FACTS : 'Feito.')
      },
    }
    const { body, reason } = await think({ engine: model, store, clock, log }, materialOf(run, tried))
    const result = { id: tried.id, fault: benchFault(tried, { body, reason, calls }), body }
    await db.query('select portal.note_bench($1, $2::jsonb, $3, $4, $5)', [
      run.runId,
      JSON.stringify(result),
      spent.inputTokens,
      spent.outputTokens,
      instant(clock.now()),
    ])
  }

  return {
    start,
    view: (claims: Claims, agentId: number) =>
      ask.one<BenchView>(claims, 'select portal.bench_of($1) as answer', [agentId]),
  }
}

const instant = (ms: number) => new Date(ms).toISOString()
const FACTS = BENCH_FACTS.map(({ label, value }) => `${label}: ${value}`).join('\n')

const materialOf = ({ name, development, texts }: Run, { lines }: BenchCase): TurnMaterial => ({
  turnId: 0,
  kind: 'answer',
  agent: { name, development, texts },
  facts: BENCH_FACTS,
  lead: { name: 'Tiago Meireles', stage: 'Novos Contatos', development, notes: null },
  lines: lines.map(({ by, text, kind = 'text' }) => ({ by, text, kind })),
  visit: null,
  now: '2026-11-23 10:00',
})
