// Last month's leads handed out anew, before the rules are saved: as they are, and as they would be.
import { useMutation } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { type Replay, replayRotation } from './data.ts'
import { displayName } from '#domain/broker.ts'
import { changesOf, type RotationPlan } from '#domain/rotation/editing.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Collapsible } from '#ui/primitives/collapsible.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import {
  AS_IT_IS,
  AS_IT_WOULD,
  NO_ARRIVALS,
  NO_ONE,
  OUTDATED_REPLAY,
  REPLAY,
  REPLAY_FAILED,
  REPLAY_HINT,
  replayed,
  RUN_REPLAY,
  RUNNING,
} from './rule-texts.ts'

type ReplaySectionProps = { id: number; plan: RotationPlan; isOff: boolean }

export function ReplaySection({ id, plan, isOff }: ReplaySectionProps) {
  const { mutate, data: replay, variables, isPending, error } = useMutation(replayRotation(id))
  const isOutdated = variables !== undefined && changesOf(variables, plan) !== null
  return (
    <Collapsible title={REPLAY}>
      <div className="flex flex-col gap-3 px-5 pb-5">
        <p className="text-13 leading-body text-text-3">{REPLAY_HINT}</p>
        <span>
          <Button
            variant="soft"
            size="small"
            icon={Play}
            disabled={isOff}
            busy={isPending && RUNNING}
            onClick={() => mutate({ ...plan, name: plan.name.trim() })}
          >
            {RUN_REPLAY}
          </Button>
        </span>
        <p role="alert" className="text-13 text-danger empty:hidden">
          {error && `${REPLAY_FAILED}: ${error.message}`}
        </p>
        {replay && <Outcome replay={replay} isOutdated={isOutdated} />}
      </div>
    </Collapsible>
  )
}

type Line = { name: string; standing: number | null; wanted: number | null }

const count = (leads: number | null) => leads?.toLocaleString('pt-BR') ?? '–'

const COLUMNS: readonly Column<Line>[] = [
  { title: 'Corretor', place: 'head', cell: ({ name }) => <span className="font-medium">{name}</span> },
  { title: AS_IT_IS, isNumber: true, cell: ({ standing }) => count(standing) },
  {
    title: AS_IT_WOULD,
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
  if (replay.leads === 0) return <p className="text-14 text-text-2">{NO_ARRIVALS}</p>
  return (
    <>
      <output className="text-13 text-text-2">
        {replayed(replay.leads)} {isOutdated && OUTDATED_REPLAY}
      </output>
      <div className="-mx-5">
        <Table label={REPLAY} columns={COLUMNS} rows={linesOf(replay)} keyOf={({ name }) => name} />
      </div>
    </>
  )
}

/** Those who stay and those who join in their order, then who left, then the leads that nobody could have. */
function linesOf({ standing, wanted }: Replay): Line[] {
  const names = [...new Set([...Object.keys(wanted.byBroker), ...Object.keys(standing.byBroker)])]
  return [
    ...names.map((instanceName) => ({
      name: displayName(instanceName),
      standing: standing.byBroker[instanceName] ?? null,
      wanted: wanted.byBroker[instanceName] ?? null,
    })),
    { name: NO_ONE, standing: standing.withoutBroker, wanted: wanted.withoutBroker },
  ]
}
