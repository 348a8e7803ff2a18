// Lists the sources in a table: state, last lead, and leads in thirty days.
import { ChevronRight } from 'lucide-react'
import { useNow } from '#ui/now.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { formatNumber } from '#domain/count.ts'
import { formatRelative } from '#domain/format.ts'
import type { Source } from './data.ts'
import { SourceMark } from './source-mark.tsx'
import { sourceState } from './source-state.ts'
import { whereOf } from './texts.ts'

const openLabel = ({ name }: Source) => `Abrir ${name}`

type SourceListProps = {
  sources: readonly Source[]
  openId: string | null
  onOpen: (source: Source) => void
}

const COLUMNS: readonly Column<Source>[] = [
  {
    title: 'Fonte',
    place: 'head',
    cell: ({ preset, name, settings }) => (
      <span className="flex items-center gap-3 py-2.5 max-[40rem]:py-0">
        <SourceMark of={preset} />
        <span className="min-w-0">
          <span className="block text-14 font-medium wrap-anywhere">{name}</span>
          <span className="block text-12 text-text-3">{whereOf(settings.development)}</span>
        </span>
      </span>
    ),
  },
  { title: 'Estado', place: 'mark', cell: (source) => <StateBadge source={source} /> },
  { title: 'Último lead', isPlain: true, cell: (source) => <Last source={source} /> },
  {
    title: '30 dias',
    isNumber: true,
    cell: ({ monthLeads }) => (
      <span className="inline-flex items-center gap-5">
        {formatNumber(monthLeads)}
        <Icon of={ChevronRight} size={18} className="-mr-1 text-text-3 max-[40rem]:hidden" />
      </span>
    ),
  },
]

export function SourceList({ sources, openId, onOpen }: SourceListProps) {
  return (
    <div className="overflow-hidden rounded-lg bg-surface shadow-card">
      <Table
        label="Fontes"
        columns={COLUMNS}
        rows={sources}
        keyOf={({ id }) => id}
        current={({ id }) => id === openId}
        open={{ run: onOpen, name: openLabel }}
      />
    </div>
  )
}

function StateBadge({ source }: { source: Source }) {
  const { label, tone } = sourceState(source, useNow())
  return (
    <Badge tone={tone}>
      <span aria-hidden className="mr-1.5 size-1.5 rounded-full bg-current" />
      {label}
    </Badge>
  )
}

function Last({ source: { usedAtMs, lastName } }: { source: Source }) {
  const nowMs = useNow()
  if (usedAtMs === null) return <span className="text-text-3">–</span>
  return (
    <>
      <span className="tabular-nums">{formatRelative(usedAtMs, nowMs)}</span>
      {lastName !== null && <span className="wrap-anywhere"> · {lastName}</span>}
    </>
  )
}
