// Computes what the Roleta section shows: chips with counts, cards, rows, and the export. Pure.
import { displayName } from '#domain/broker.ts'
import { toCsv } from '#domain/csv.ts'
import type { DistributedLead } from '#domain/dashboard/dashboard.ts'
import { formatDateTime } from '#domain/format.ts'
import { leadTitle } from '#domain/lead/lead.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { COLUMN } from './texts.ts'

type Chosen = { developments: readonly string[]; brokers: readonly string[] }
type Choice = { value: string; label: string; count: number }

export type RotationView = {
  rows: readonly DistributedLead[]
  /** The count beside each option is that of the rows which match the other filter. */
  developments: Choice[]
  brokers: Choice[]
  brokerCount: number
  /** The broker with the most rows, or several brokers in a tie. Null if there are no rows. */
  most: { names: readonly string[]; count: number } | null
}

export function rotationView(leads: readonly DistributedLead[], chosen: Chosen): RotationView {
  const ofDevelopments = leads.filter(({ development }) => isIn(chosen.developments, development))
  const ofBrokers = leads.filter(({ instanceName }) => isIn(chosen.brokers, instanceName))
  const rows = ofDevelopments.filter(({ instanceName }) => isIn(chosen.brokers, instanceName))
  const perBroker = countBy(rows, ({ instanceName }) => instanceName)
  const most = Math.max(0, ...perBroker.values())
  const leading = [...perBroker].filter(([, count]) => count === most)
  return {
    rows,
    developments: toChoices({
      all: [...leads.map(({ development }) => development), ...chosen.developments],
      counts: countBy(ofBrokers, ({ development }) => development),
      labelOf: (name) => name,
    }),
    brokers: toChoices({
      all: [...leads.map(({ instanceName }) => instanceName), ...chosen.brokers],
      counts: countBy(ofDevelopments, ({ instanceName }) => instanceName),
      labelOf: displayName,
    }),
    brokerCount: perBroker.size,
    most: most > 0 ? { names: leading.map(([name]) => displayName(name)), count: most } : null,
  }
}

/** The text of each column's cell, the same on the screen and in the exported file. */
export const ROTATION_CELLS = [
  { title: COLUMN.name, text: (lead: DistributedLead) => leadTitle(lead) },
  { title: COLUMN.broker, text: ({ instanceName }: DistributedLead) => displayName(instanceName) },
  { title: COLUMN.development, text: ({ development }: DistributedLead) => development },
  { title: COLUMN.date, text: ({ createdAtMs }: DistributedLead) => formatDateTime(createdAtMs) },
  { title: COLUMN.number, text: ({ number }: DistributedLead) => (number ? formatPhone(number) : '') },
] as const

/** The file has exactly the rows that are shown. */
export function rotationCsv(rows: readonly DistributedLead[]): string {
  return toCsv(
    ROTATION_CELLS.map(({ title }) => title),
    rows.map((row) => ROTATION_CELLS.map(({ text }) => text(row))),
  )
}

const isIn = (chosen: readonly string[], value: string) => chosen.length === 0 || chosen.includes(value)

function countBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1)
  return counts
}

type Choosing = {
  all: readonly string[]
  counts: ReadonlyMap<string, number>
  labelOf: (value: string) => string
}

function toChoices({ all, counts, labelOf }: Choosing): Choice[] {
  return [...new Set(all)]
    .map((value) => ({ value, label: labelOf(value), count: counts.get(value) ?? 0 }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'pt-BR'))
}
