// Remembers on the device for which leads no next step is suggested before tomorrow.
import { calendarDay } from '#domain/format.ts'
import { LEAD_MARKS } from '#data/lead-marks.ts'

type NotNow = { day: number; leads: number[] }

export function isNotNow(leadId: number, nowMs: number): boolean {
  return readToday(nowMs).leads.includes(leadId)
}

export function sayNotNow(leadId: number, nowMs: number) {
  const { day, leads } = readToday(nowMs)
  try {
    localStorage.setItem(LEAD_MARKS.notNow, JSON.stringify({ day, leads: [...leads, leadId] }))
  } catch {
    // If the device cannot store it, the question simply appears again.
  }
}

function readToday(nowMs: number): NotNow {
  const today = { day: calendarDay(nowMs), leads: [] }
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(LEAD_MARKS.notNow) ?? 'null')
    return isOf(kept, today.day) ? kept : today
  } catch {
    return today
  }
}

function isOf(kept: unknown, day: number): kept is NotNow {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    'day' in kept &&
    kept.day === day &&
    'leads' in kept &&
    Array.isArray(kept.leads)
  )
}
