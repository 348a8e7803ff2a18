// Validates the typed days of a filter.
import type { AuditFilter } from '#data/audit.ts'
import { isFar, SPAN_FAULT_TEXT } from '#domain/dashboard/period.ts'

const far = (day: string | undefined) => (day !== undefined && isFar(day) ? SPAN_FAULT_TEXT.far : null)

/** Returns the Portuguese message for each field; null if its day is valid. */
export function filterFaults({ from, to }: AuditFilter): { from: string | null; to: string | null } {
  const isTurned = from !== undefined && to !== undefined && to < from
  return { from: far(from), to: far(to) ?? (isTurned ? SPAN_FAULT_TEXT.order : null) }
}

export function isFaulty(filter: AuditFilter): boolean {
  const { from, to } = filterFaults(filter)
  return from !== null || to !== null
}
