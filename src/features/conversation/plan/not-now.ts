// Leads for which no plan is proposed for three days, stored on the device.
import { LEAD_MARKS } from '#data/lead-marks.ts'

const REST_MS = 3 * 86_400_000

export const isPlanNotNow = (leadId: number, nowMs: number) => nowMs - (read()[leadId] ?? 0) < REST_MS

export function sayPlanNotNow(leadId: number, nowMs: number) {
  const recent = Object.entries(read()).filter(([, atMs]) => nowMs - atMs < REST_MS)
  try {
    localStorage.setItem(
      LEAD_MARKS.noPlan,
      JSON.stringify({ ...Object.fromEntries(recent), [leadId]: nowMs }),
    )
  } catch {
    // If nothing can be stored, the question appears again.
  }
}

function read(): Record<string, number> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(LEAD_MARKS.noPlan) ?? '{}')
    return typeof kept === 'object' && kept !== null
      ? Object.fromEntries(Object.entries(kept).filter(isTime))
      : {}
  } catch {
    return {}
  }
}

const isTime = (mark: [string, unknown]): mark is [string, number] => typeof mark[1] === 'number'
