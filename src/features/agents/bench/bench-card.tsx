// The agent's tests: how many of the shipped conversations pass, which fail and why, compared with the previous run.
import { useMutation, useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { PortalError } from '#domain/errors.ts'
import { countOf } from '#domain/count.ts'
import { formatDateTime } from '#domain/format.ts'
import { Button } from '#ui/primitives/button.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { CaseRow } from './case-row.tsx'
import { type Change, type Compared, rowsOf } from './compared.ts'
import { type Bench, benchQuery, type BenchRun, isRunning, startBench } from './data.ts'
import { Publishing } from './publishing.tsx'

const TITLE = 'Testes antes de atender'
const NEVER = 'São 30 conversas prontas, inventadas. Nada é enviado a ninguém.'
const RUN = 'Rodar os testes'
const AGAIN = 'Rodar de novo'
const RUNNING = 'Rodando…'
const FAILED = 'Não foi possível carregar os testes.'
const START_FAILED = 'Não foi possível rodar os testes.'
const OLD = 'Os textos mudaram depois destes testes.'
const ALL = 'Ver todas'
const PROGRESS = 'Andamento dos testes'

/** Returns the version number after publishing, which adds one version per changed text. */
const draftVersion = ({ version, draft }: Bench) => version + (draft?.fields.length ?? 0)
const draftTitle = (bench: Bench) =>
  `Rascunho v${draftVersion(bench)} contra ${bench.version === 0 ? 'nada publicado' : `a publicada v${bench.version}`}`

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
          <h2 className="text-16 font-semibold">{bench?.draft ? draftTitle(bench) : TITLE}</h2>
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
              version={draftVersion(bench)}
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

type ResultsProps = { agentId: number; run: BenchRun; bench: Bench; rows: readonly Compared[] }

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

const passesIn = (run: BenchRun) => run.results.filter(({ fault }) => fault === null).length
