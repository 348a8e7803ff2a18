// 'Agora': shows which leads wait for a first answer, which can still get it in time, and how fast brokers took up
// today's leads.
import { type BrokerLine } from './data.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Inbox, UserRoundCheck } from 'lucide-react'
import { useState } from 'react'
import { countOf } from '#domain/count.ts'
import { formatHour } from '#domain/format.ts'
import { spanWords } from '#domain/lead/path.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { State } from '#ui/feedback/state.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { useDeviceNow } from '#ui/now.ts'
import { Table } from '#ui/primitives/table.tsx'
import { changeTarget, type Clocks, clocksQuery } from './data.ts'
import { brokerColumns } from './brokers.tsx'
import { NowList, type OpenFigure } from './list.tsx'
import { type OnPass, riskColumns } from './risk.tsx'
import { seeLead } from '../texts.ts'

const targetChoice = (seconds: number) => `Meta: responder em ${spanWords(seconds)}`

const withinText = (within: number, answered: number, targetSeconds: number) =>
  answered === 0
    ? `Meta: responder em ${spanWords(targetSeconds)}`
    : `${within} de ${answered} respostas na meta de ${spanWords(targetSeconds)}`

/** For example '6 leads esperam a primeira resposta · 2 passaram do dobro da meta'. */
function riskText({ risk, counts }: Pick<Clocks, 'risk' | 'counts'>, nowMs: number): string {
  if (risk.length === 0) return ''
  const waiting = `${countOf(counts?.waiting ?? risk.length, 'lead espera', 'leads esperam')} a primeira resposta`
  const shown = risk.filter(({ twiceAtMs }) => twiceAtMs !== null && nowMs >= twiceAtMs).length
  // A shown lead may have reached twice the target since the portal counted, so the larger number is right.
  const late = Math.max(shown, counts?.twice ?? 0)
  return late === 0 ? waiting : `${waiting} · ${countOf(late, 'passou', 'passaram')} do dobro da meta`
}

/** Shown if no lead waits. It praises the brokers only if a lead arrived today. */
function Calm({ brokers }: { brokers: readonly BrokerLine[] }) {
  const received = brokers.reduce((sum, line) => sum + line.received, 0)
  return received === 0 ? (
    <State
      kind="empty"
      icon={Inbox}
      title="Nenhum lead hoje"
      hint="Quem chegar e esperar a primeira resposta aparece aqui."
    />
  ) : (
    <State
      kind="empty"
      icon={UserRoundCheck}
      title="Ninguém em risco agora"
      hint={`${countOf(received, 'lead', 'leads')} hoje, ninguém esperando.`}
    />
  )
}

const notShown = (count: number) =>
  `${countOf(count, 'lead mais antigo não aparece', 'leads mais antigos não aparecem')} nesta lista.`

const BY_BROKER = 'Por corretor, hoje'

const AT_RISK = 'Em risco agora'

type NowSectionProps = {
  /** Opens the lead's conversation, where the administrator can transfer the lead. */
  onLead: (lead: { id: number; instanceName: string | null }) => void
  onPass: OnPass
  /** True for a gerente, who sees the agency's target but cannot change it. */
  isTargetFixed?: boolean
}

export function NowSection({ onLead, onPass, isTargetFixed = false }: NowSectionProps) {
  const read = useQuery(clocksQuery())
  const [listed, setListed] = useState<OpenFigure | null>(null)
  // The response contains times of the server's clock, so they are compared with the server's present time.
  const nowMs = useDeviceNow() + (read.data ? read.data.at - read.dataUpdatedAt : 0)
  if (!read.data)
    return read.error ? (
      <FailedRead of={read} title="Não foi possível carregar quem espera agora." />
    ) : (
      <Skeleton className="h-72 rounded-card!" />
    )
  const { risk, counts, brokers } = read.data
  return (
    <div className="flex flex-col gap-3 lg:gap-4">
      {read.error && <FailedRead of={read} shownFrom={formatHour(read.data.at)} />}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-13 text-text-2 tabular-nums">{liveSince(read.data.at)}</p>
        {!isTargetFixed && <TargetChoice seconds={read.data.target} />}
      </div>
      <Means clocks={read.data} />
      <section aria-labelledby="now-risk" className="rounded-card bg-surface shadow-card">
        <h2 id="now-risk" className="flex flex-wrap items-baseline gap-x-3 px-5 pt-4 text-16 font-semibold">
          {AT_RISK}
          <span className="text-14 font-regular text-text-3">{riskText(read.data, nowMs)}</span>
        </h2>
        {risk.length === 0 ? (
          <Calm brokers={brokers} />
        ) : (
          <Table
            label={AT_RISK}
            columns={riskColumns(nowMs, onPass)}
            rows={risk}
            keyOf={({ id }) => id}
            open={{
              run: ({ id, broker }) => onLead({ id, instanceName: broker }),
              name: (lead) => seeLead(leadTitle(lead)),
            }}
          />
        )}
        {counts && counts.waiting > risk.length && (
          <p className="px-5 pb-4 text-14 text-text-2">{notShown(counts.waiting - risk.length)}</p>
        )}
      </section>
      {brokers.length > 0 && (
        <section aria-labelledby="now-brokers" className="rounded-card bg-surface shadow-card">
          <h2 id="now-brokers" className="px-5 pt-4 text-16 font-semibold">
            {BY_BROKER}
          </h2>
          <Table
            label={BY_BROKER}
            columns={brokerColumns(setListed)}
            rows={brokers}
            keyOf={({ broker }) => broker}
          />
        </section>
      )}
      <NowList of={listed} onClose={() => setListed(null)} onLead={onLead} />
    </div>
  )
}

const TARGETS = [5, 10, 15, 30, 60, 120]

const liveSince = (ms: number) => `Ao vivo · ${formatHour(ms)}`

/** Chooses the agency's target; a rotation's rules may set another one. */
function TargetChoice({ seconds }: { seconds: number }) {
  const { mutate, isPending } = useMutation({
    ...changeTarget(),
    onError: () => toast('Não foi possível mudar a meta.', 'error'),
  })
  const minutes = Math.round(seconds / 60)
  const choices = [...new Set([...TARGETS, minutes])].toSorted((a, b) => a - b)
  return (
    <select
      aria-label="Meta"
      disabled={isPending}
      value={minutes}
      onChange={({ target }) => mutate(Number(target.value))}
      className="min-h-11 max-w-full rounded-ctl bg-surface px-3 text-16 font-semibold shadow-line outline-none focus-visible:shadow-input-focus lg:min-h-10 lg:text-14"
    >
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {targetChoice(choice * 60)}
        </option>
      ))}
    </select>
  )
}

function Means({ clocks: { means, target } }: { clocks: Clocks }) {
  const figures = [
    ['Média de hoje, até a resposta', means.wait],
    ['Até oferecer', means.offered],
    ['Até aceitar', means.accepted],
    ['Até responder', means.response],
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-card bg-border shadow-card lg:grid-cols-4">
      {figures.map(([label, value], index) => (
        <div key={label} className="bg-surface px-5 py-4">
          <dt className="text-13 text-text-2">{label}</dt>
          <dd className="text-20 font-semibold tabular-nums">
            {value === null ? '–' : spanWords(value)}
            {index === 0 && (
              <span className="block text-13 font-regular text-text-2">
                {withinText(means.within, means.answered, target)}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
