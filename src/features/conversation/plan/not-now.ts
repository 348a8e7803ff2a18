// Remembers on the device for which leads the broker answered 'not now'; those get no plan proposal for three days.
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
    // If the device cannot store the answer, the proposal appears again.
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
