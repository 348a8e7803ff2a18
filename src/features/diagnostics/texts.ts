// Texts of Saúde do sistema.
import { countOf } from '#domain/count.ts'

export const CHECKING = 'Verificando...'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** For example '12 s', '3 min', '2 h', '4 dias'. */
export function spanOf(seconds: number): string {
  if (seconds < MINUTE) return `${seconds} s`
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h`
  return countOf(Math.floor(seconds / DAY), 'dia', 'dias')
}
