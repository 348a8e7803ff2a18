// A source's state: whether leads arrive as usual.
import { countOf } from '#domain/count.ts'
import type { Source } from './data.ts'

type State = { label: string; tone: 'success' | 'warning' | 'neutral' }

const DAY_MS = 24 * 60 * 60_000
/** A source counts as quiet after this many usual gaps without a lead. */
const QUIET_GAPS = 3

/** A required action comes before other states. */
export function sourceState(source: Source, nowMs: number): State {
  const { revokedAtMs, offAtMs, unread, failed, usedAtMs, gapSeconds } = source
  if (revokedAtMs !== null) return { label: 'Revogada', tone: 'neutral' }
  if (offAtMs !== null) return { label: 'Desligada', tone: 'neutral' }
  if (unread + failed > 0) return { label: `${unread + failed} para ler`, tone: 'warning' }
  if (usedAtMs === null) return { label: 'Esperando o primeiro', tone: 'neutral' }
  const quietMs = nowMs - usedAtMs
  const isQuiet = gapSeconds !== null && quietMs >= Math.max(DAY_MS, QUIET_GAPS * gapSeconds * 1_000)
  return isQuiet
    ? { label: `Quieta há ${countOf(Math.floor(quietMs / DAY_MS), 'dia', 'dias')}`, tone: 'warning' }
    : { label: 'Recebendo', tone: 'success' }
}

/** The portal creates a source for an API token at its first lead; it has no address to post to. */
export const isOfApi = ({ createdBy, hasAddress }: Source): boolean => createdBy === 'portal' && !hasAddress
