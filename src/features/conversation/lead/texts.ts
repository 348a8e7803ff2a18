// Texts of the lead's sheet.
import { formatDay, formatHour } from '#domain/format.ts'

export const LEAD_DETAILS = 'Dados do lead'
export const NOTE = 'Nota'
export const FIELDS_FAILED = 'Não foi possível salvar os dados do lead.'

export const momentOf = (ms: number, nowMs: number) => `${formatDay(ms, nowMs)}, ${formatHour(ms)}`
