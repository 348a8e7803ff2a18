// Texts of visits.
import { spokenHour } from '#domain/format.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { callName } from '#domain/message/call-name.ts'

export const firstNameOf = ({ name }: Pick<Lead, 'name'>) => callName(name) ?? ''

/** For example '11h e 17h já têm visita.' */
export function takenWords(startsAtMs: readonly number[]): string {
  const hours = startsAtMs.map(spokenHour)
  const last = hours.at(-1) ?? ''
  const listed = hours.length > 1 ? `${hours.slice(0, -1).join(', ')} e ${last}` : last
  return `${listed} já ${hours.length > 1 ? 'têm' : 'tem'} visita.`
}

/** The message to a lead who did not come. The lead's name replaces '{nome}'. */
export const MISSED_TEXT = 'Oi, {nome}! Não conseguimos nos ver na visita. Quer marcar outro dia?'
