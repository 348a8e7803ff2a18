// The audit log as a table, with each entry as a sentence.
import { type AuditEntry, auditActor, auditRole, auditSentence } from '#domain/audit.ts'
import { formatDateTime } from '#domain/format.ts'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { TITLE } from './texts.ts'

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    title: 'Quando',
    place: 'mark',
    width: 'w-48',
    cell: ({ atMs }) => (
      <time dateTime={new Date(atMs).toISOString()} className="whitespace-nowrap text-text-2 tabular-nums">
        {formatDateTime(atMs)}
      </time>
    ),
  },
  {
    title: 'Quem',
    place: 'head',
    width: 'w-56',
    cell: (entry) => (
      <span className="flex flex-wrap items-baseline gap-x-2 py-1.5 font-medium wrap-anywhere">
        {auditActor(entry)}
        {entry.actor !== null && (
          <span className="text-13 font-normal text-text-3">{auditRole(entry.actorRole)}</span>
        )}
      </span>
    ),
  },
  {
    title: 'O que fez',
    place: 'words',
    cell: (entry) => (
      <span className="block py-1.5 leading-snug wrap-anywhere max-[40rem]:py-0">{auditSentence(entry)}</span>
    ),
  },
]

export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <div className="overflow-hidden rounded-lg bg-surface shadow-card">
      <Table label={TITLE} columns={COLUMNS} rows={entries} keyOf={({ id }) => id} />
    </div>
  )
}
