// Simulates rules before they are saved: how last month's leads would be distributed by the current rules and by the
// edited ones.
import { formatNumber } from '#domain/count.ts'
import { countOf } from '#domain/count.ts'
import { useMutation } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { type Replay, replayRotation } from '../data.ts'
import { displayName } from '#domain/broker.ts'
import { changesOf, type RotationPlan } from '#domain/rotation/editing.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Collapsible } from '#ui/primitives/collapsible.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'

const REPLAY = 'Simular com os leads do último mês'

type ReplaySectionProps = { id: number; plan: RotationPlan; isOff: boolean }

export function ReplaySection({ id, plan, isOff }: ReplaySectionProps) {
  const { mutate, data: replay, variables, isPending, error } = useMutation(replayRotation(id))
  const isOutdated = variables !== undefined && changesOf(variables, plan) !== null
  return (
    <Collapsible title={REPLAY}>
      <div className="flex flex-col gap-3 px-5 pb-5">
        <p className="text-13 leading-body text-text-3">
          Refaz a distribuição dos leads dos últimos 30 dias com as regras como estão e como ficariam. Nada
          muda de verdade.
        </p>
        <span>
          <Button
            variant="soft"
            size="small"
            icon={Play}
            disabled={isOff}
            busy={isPending && 'Simulando...'}
            onClick={() => mutate({ ...plan, name: plan.name.trim() })}
          >
            Simular
          </Button>
        </span>
        <p role="alert" className="text-13 text-danger empty:hidden">
          {error && `Erro ao simular: ${error.message}`}
        </p>
        {replay && <Outcome replay={replay} isOutdated={isOutdated} />}
      </div>
    </Collapsible>
  )
}

type Line = { name: string; standing: number | null; wanted: number | null }

const count = (leads: number | null) => (leads === null ? '–' : formatNumber(leads))

const COLUMNS: readonly Column<Line>[] = [
  { title: 'Corretor', place: 'head', cell: ({ name }) => <span className="font-medium">{name}</span> },
  { title: 'Hoje', isNumber: true, cell: ({ standing }) => count(standing) },
  {
    title: 'Com as mudanças',
    isNumber: true,
    cell: ({ standing, wanted }) => (
      <>
        {count(wanted)}
        <Difference by={(wanted ?? 0) - (standing ?? 0)} />
      </>
    ),
  },
]

function Difference({ by }: { by: number }) {
  if (by === 0) return null
  return (
    <span className="ml-1.5 text-13 text-text-3">
      ({by.toLocaleString('pt-BR', { signDisplay: 'always' })})
    </span>
  )
}

function Outcome({ replay, isOutdated }: { replay: Replay; isOutdated: boolean }) {
  if (replay.leads === 0)
    return <p className="text-14 text-text-2">Nenhum lead passou por esta roleta nos últimos 30 dias.</p>
  return (
    <>
      <output className="text-13 text-text-2">
        {`${countOf(replay.leads, 'lead simulado', 'leads simulados')}. Nada é alterado.`}{' '}
        {isOutdated && 'As regras mudaram depois desta simulação.'}
      </output>
      <div className="-mx-5">
        <Table label={REPLAY} columns={COLUMNS} rows={linesOf(replay)} keyOf={({ name }) => name} />
      </div>
    </>
  )
}

/** Lists the brokers who stay or are added, then the removed ones, and then the leads that nobody could take. */
function linesOf({ standing, wanted }: Replay): Line[] {
  const names = [...new Set([...Object.keys(wanted.byBroker), ...Object.keys(standing.byBroker)])]
  return [
    ...names.map((instanceName) => ({
      name: displayName(instanceName),
      standing: standing.byBroker[instanceName] ?? null,
      wanted: wanted.byBroker[instanceName] ?? null,
    })),
    { name: 'Sem corretor na hora', standing: standing.withoutBroker, wanted: wanted.withoutBroker },
  ]
}
