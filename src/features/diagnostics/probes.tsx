// Lists the tested database calls, each with its result and duration.
import { useQuery } from '@tanstack/react-query'
import { type Probe, probesQuery } from '#data/diagnostics.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Group, Row } from './rows.tsx'
import { CHECKING } from './texts.ts'

const PROBE_WORDS = { answered: 'Responde', refused: 'Sem acesso', failed: 'Falhou' }

const TONE = { answered: 'success', refused: 'neutral', failed: 'danger' } as const

export function Probes() {
  const read = useQuery(probesQuery())
  const { data: probes, isFetching } = read
  return (
    <Group title="Funções do banco">
      {probes && !isFetching ? (
        probes.map((probe) => <ProbeRow key={probe.name} probe={probe} />)
      ) : read.error && !isFetching ? (
        <FailedRead of={read} title="Não foi possível consultar as funções." isRow />
      ) : (
        <Row name={CHECKING}>{null}</Row>
      )}
    </Group>
  )
}

function ProbeRow({ probe: { name, outcome, tookMs, reason } }: { probe: Probe }) {
  return (
    <Row name={name}>
      <span className="inline-flex flex-wrap items-center justify-end gap-2">
        <span className="text-13 font-normal text-text-3">{reason ?? `${tookMs} ms`}</span>
        <Badge tone={TONE[outcome]}>{PROBE_WORDS[outcome]}</Badge>
      </span>
    </Row>
  )
}
