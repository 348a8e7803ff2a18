// Tells whether a source's leads arrive as usual.
import { countOf } from '#domain/count.ts'
import type { Source } from './data.ts'

type State = { label: string; tone: 'success' | 'warning' | 'neutral' }

const DAY_MS = 24 * 60 * 60_000
/** A source is 'quiet' if it has been without a lead for this many times its usual gap between leads. */
const QUIET_GAPS = 3

/** Returns a source's state. Deliveries that wait for the user matter more than how long ago the last lead came. */
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

/** True for a source that stands for an API token. The portal adds it at the token's first lead, without an address. */
export const isOfApi = ({ createdBy, hasAddress }: Source): boolean => createdBy === 'portal' && !hasAddress
