// The agent's trial: so many of the shipped conversations pass, which do not and why, beside the run before.
import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, RefreshCw, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { BENCH_CASES } from '#domain/agent/bench-cases.ts'
import { type BenchCase, type MadeCase, toBenchCase } from '#domain/agent/bench.ts'
import { PortalError } from '#domain/errors.ts'
import { countOf } from '#domain/count.ts'
import { formatDateTime } from '#domain/format.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { ask } from '#ui/feedback/ask.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { CaseDialogue } from './case-dialogue.tsx'
import { type Bench, benchQuery, type BenchRun, isRunning, removeCase, startBench } from './data.ts'
import { Publishing } from './publishing.tsx'

const TITLE = 'Testes antes de atender'
const DRAFT_TITLE = 'Rascunho contra a versão publicada'
const NEVER = 'São 30 conversas prontas, inventadas. Nada é enviado a ninguém.'
const RUN = 'Rodar os testes'
const AGAIN = 'Rodar de novo'
const RUNNING = 'Rodando…'
const FAILED = 'Não foi possível carregar os testes.'
const START_FAILED = 'Não foi possível rodar os testes.'
const OLD = 'Os textos mudaram depois destes testes.'
const ALL = 'Ver todas'
const PROGRESS = 'Andamento dos testes'

type Outcome = { fault: string | null; body: string | null } | undefined
type Change = 'worse' | 'better' | 'failing' | 'passing'
/** `made`: by an administrator, of a conversation. */
type Row = { tried: BenchCase; made: MadeCase | null; now: Outcome; earlier: Outcome; change: Change }
/** What needs eyes comes first. */
const ORDER: readonly Change[] = ['worse', 'better', 'failing', 'passing']

export function BenchCard({ agentId, hasModel }: { agentId: number; hasModel: boolean }) {
  const isOnline = useIsOnline()
  const read = useQuery(benchQuery(agentId))
  const start = useMutation({
    ...startBench(agentId),
    onError: (error) => toast(error instanceof PortalError ? error.message : START_FAILED, 'error'),
  })
  const { data: bench } = read
  const run = bench?.run
  const rows = bench?.run ? rowsOf(bench.run, bench) : []
  return (
    <section className="rounded-lg bg-surface shadow-card">
      <div className="flex flex-wrap items-center justify-between gap-3 p-5">
        <div className="min-w-0 grow basis-60">
          <h2 className="text-16 font-semibold">{bench?.draft ? DRAFT_TITLE : TITLE}</h2>
          <p className="pt-0.5 text-13 text-text-3">
            {bench?.draft
              ? `Editado por ${bench.draft.by}, ${formatDateTime(bench.draft.at)}`
              : run
                ? `${run.model} · ${run.by}, ${formatDateTime(run.beganAt)}`
                : NEVER}
          </p>
        </div>
        <span className="flex flex-wrap gap-2">
          <Button
            variant="line"
            icon={RefreshCw}
            disabled={!isOnline || !hasModel}
            busy={(isRunning(bench) || start.isPending) && RUNNING}
            onClick={() => start.mutate()}
          >
            {run ? AGAIN : RUN}
          </Button>
          {bench?.draft && (
            <Publishing
              agentId={agentId}
              mark={bench.mark}
              isRunning={isRunning(bench)}
              worse={rows.filter(({ change }) => change === 'worse').map(({ tried }) => tried.title)}
            />
          )}
        </span>
      </div>
      {bench ? (
        bench.run && <Results agentId={agentId} run={bench.run} bench={bench} rows={rows} />
      ) : read.error ? (
        <FailedRead of={read} title={FAILED} isRow />
      ) : (
        <Skeleton className="mx-5 mb-5 h-24 rounded-md!" />
      )}
    </section>
  )
}

type ResultsProps = { agentId: number; run: BenchRun; bench: Bench; rows: readonly Row[] }

function Results({ agentId, run, bench: { before, draft, isCurrent }, rows }: ResultsProps) {
  const [isWhole, setWhole] = useState(false)
  const passed = passesIn(run)
  const shown = rows.filter(({ change }) => isWhole || change !== 'passing')
  const folded = rows.length - shown.length
  const count = (wanted: Change) => rows.filter(({ change }) => change === wanted).length
  return (
    <>
      <div className="grid grid-cols-3 border-t border-border md:grid-cols-[1.6fr_1fr_1fr_1fr] md:divide-x md:divide-border">
        <div className="px-5 py-4 max-md:col-span-3">
          <output className="block text-20 font-semibold tabular-nums">
            {run.endedAt === null
              ? `${run.results.length} de ${run.cases}`
              : `${passed} de ${run.cases} passam`}
          </output>
          {run.endedAt === null && <ProgressBar label={PROGRESS} ratio={run.results.length / run.cases} />}
          {draft && before?.endedAt != null && (
            <p className="text-13 text-text-3">{passesIn(before)} na publicada</p>
          )}
          {!isCurrent && <p className="pt-1 text-13 font-medium text-warning">{OLD}</p>}
        </div>
        {before && (
          <>
            <Tile
              count={count('better')}
              label={count('better') === 1 ? 'melhorou' : 'melhoraram'}
              tone="text-success"
            />
            <Tile
              count={count('worse')}
              label={count('worse') === 1 ? 'piorou' : 'pioraram'}
              tone="text-danger"
            />
            <Tile
              count={count('failing')}
              label={count('failing') === 1 ? 'falha nas duas' : 'falham nas duas'}
            />
          </>
        )}
      </div>
      <ul className="divide-y divide-border border-t border-border">
        {shown.map((row) => (
          <li key={row.tried.id}>
            <CaseRow agentId={agentId} row={row} isCompared={draft !== null} />
          </li>
        ))}
      </ul>
      {folded > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-2 border-t border-border px-5 py-2 text-14 text-text-2">
          <span>{countOf(folded, 'conversa passa', 'conversas passam')}</span>
          <Button size="small" variant="ghost" onClick={() => setWhole(true)}>
            {ALL}
          </Button>
        </div>
      )}
    </>
  )
}

function Tile({ count, label, tone = '' }: { count: number; label: string; tone?: string }) {
  return (
    <p className="px-5 py-4 max-md:pt-0">
      <span className={`block text-20 font-semibold tabular-nums ${count > 0 ? tone : ''}`}>{count}</span>
      <span className="text-13 text-text-3">{label}</span>
    </p>
  )
}

const CHANGE = {
  worse: { label: 'Piorou', tone: 'danger' },
  failing: { label: 'Falha', tone: 'warning' },
  better: { label: 'Melhorou', tone: 'success' },
  passing: null,
} as const

type CaseRowProps = { agentId: number; row: Row; isCompared: boolean }

function CaseRow({ agentId, row: { tried, made, now, earlier, change }, isCompared }: CaseRowProps) {
  const badge = CHANGE[change]
  return (
    <details>
      <summary className="flex min-h-12 cursor-pointer items-center gap-3 px-5 py-2 text-14">
        <span className="min-w-0 grow">
          <span className="block font-medium wrap-anywhere">{tried.title}</span>
          <span className="block text-13 text-text-3">{tried.expects}</span>
        </span>
        {isCompared && earlier && <Mark outcome={earlier} of="publicada" />}
        <Mark outcome={now} of={isCompared ? 'rascunho' : null} />
        {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
      </summary>
      <div className="mx-5 mb-3 rounded-md bg-surface-2 p-3 text-13">
        <CaseDialogue lines={tried.lines} />
        <p className="whitespace-pre-wrap wrap-anywhere">
          <span className="text-text-3">Agente </span>
          {now?.body ?? '(nada)'}
        </p>
        {now?.fault && <p className="pt-1 font-medium text-danger">{now.fault}</p>}
        {made && <RemoveCase agentId={agentId} made={made} />}
      </div>
    </details>
  )
}

function RemoveCase({ agentId, made }: { agentId: number; made: MadeCase }) {
  const isOnline = useIsOnline()
  const { mutate } = useMutation({
    ...removeCase(agentId),
    onError: () => toast('Não foi possível excluir o teste.', 'error'),
  })
  const remove = () =>
    ask({
      question: 'Excluir este teste?',
      consequence: `“${made.title}” não é mais testada.`,
      action: { label: 'Excluir', run: () => mutate(made.id), tone: 'danger' },
    })
  return (
    <div className="-mx-1 pt-2">
      <Button size="small" variant="ghost" icon={Trash2} disabled={!isOnline} onClick={remove}>
        Excluir teste
      </Button>
    </div>
  )
}

/** `of`: which text, where two are compared. */
function Mark({ outcome, of }: { outcome: Outcome; of: string | null }) {
  const passes = outcome?.fault === null
  return (
    <span className={`inline-flex items-center gap-1 text-13 ${passes ? 'text-success' : 'text-danger'}`}>
      <Icon of={passes ? Check : X} size={18} />
      <span className={of === null ? 'sr-only' : 'max-md:sr-only'}>{passes ? 'Passa' : 'Falha'}</span>
      {of !== null && <span className="text-text-3 max-md:sr-only">{of}</span>}
    </span>
  )
}

const passesIn = (run: BenchRun) => run.results.filter(({ fault }) => fault === null).length

function rowsOf(run: BenchRun, { before, own }: Bench): Row[] {
  const outcomeIn = (of: BenchRun | null, id: string): Outcome =>
    of?.results.find((result) => result.id === id)
  const all = [
    ...BENCH_CASES.map((tried) => ({ tried, made: null })),
    ...own.map((made) => ({ tried: toBenchCase(made), made })),
  ]
  return all
    .flatMap(({ tried, made }): Row[] => {
      const now = outcomeIn(run, tried.id)
      const earlier = outcomeIn(before, tried.id)
      return now ? [{ tried, made, now, earlier, change: changeOf(now, earlier) }] : []
    })
    .toSorted((one, other) => ORDER.indexOf(one.change) - ORDER.indexOf(other.change))
}

function changeOf(now: NonNullable<Outcome>, then: Outcome): Change {
  if (now.fault === null) return then && then.fault !== null ? 'better' : 'passing'
  return then?.fault === null ? 'worse' : 'failing'
}
