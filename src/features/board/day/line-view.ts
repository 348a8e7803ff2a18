// Chooses the text of a card's line: a pending change first, then waiting, late or next step, then the lead's origin.
import { type Lead, WAITING } from '#domain/lead/lead.ts'
import type { Later } from '#domain/next-action/later.ts'
import { sourceLabel } from '#domain/lead/source.ts'
import { type Counted, standingOf } from '#domain/next-action/counted.ts'
import { actionWords, isLate, momentWords, waitWords } from '#domain/next-action/words.ts'
import type { Density } from '../ground/card-actions.ts'
import type { GLYPHS } from './glyphs.ts'

export type Line = {
  glyph: keyof typeof GLYPHS
  words: string
  tone: 'plain' | 'quiet' | 'late' | 'problem'
}

const NO_ACTION = 'Sem próxima ação'
/** The database's value for an unknown origin. */
const UNKNOWN_SOURCE = 'desconhecida'

/** `targetMs`: a longer wait counts as too long. `counted`: the waiting time as the server counts it. */
type Times = { nowMs: number; targetMs?: number | undefined; counted?: Counted | undefined }

export function lineOf(lead: Lead, times: Times, density: Density = 'roomy'): Line {
  const { waiting } = lead
  if (waiting) {
    const isQueued = waiting === 'queue'
    return {
      glyph: isQueued ? 'queue' : 'problem',
      words: WAITING[waiting],
      tone: isQueued ? 'plain' : 'problem',
    }
  }
  return waitLine(lead, times, density) ?? nextLine(lead, times.nowMs) ?? originLine(lead)
}

function waitLine(lead: Lead, times: Times, density: Density): Line | null {
  if (lead.waitingSinceMs === null) return null
  const words = waitWords(lead.waitingSinceMs, times.nowMs, density)
  return words === null
    ? null
    : { glyph: 'waiting', words, tone: standingOf(lead, times).isOver ? 'late' : 'plain' }
}

function nextLine({ next: [first], later = [] }: Lead, nowMs: number): Line | null {
  const text = laterLine(later, nowMs)
  // Messages that belong to a visit do not replace the visit in the line.
  if (text && (!first || (first.kind !== 'visit' && text.dueAtMs < first.dueAtMs))) return text.line
  if (!first) return null
  const isOver = isLate(first, nowMs)
  return {
    glyph: isOver ? 'late' : first.kind,
    words: actionWords(first, nowMs),
    tone: isOver ? 'late' : 'plain',
  }
}

/**
 * For example 'Mensagem agendada · amanhã 9h'. For a text that the portal held back, the line tells that it was not
 * sent.
 */
function laterLine([text]: readonly Later[], nowMs: number) {
  if (!text) return null
  const dueAtMs = text.dueAtMs ?? nowMs
  const line: Line =
    text.why === null
      ? { glyph: 'queue', words: `Mensagem agendada · ${momentWords(dueAtMs, nowMs)}`, tone: 'plain' }
      : { glyph: 'problem', words: 'Mensagem agendada não saiu', tone: 'late' }
  return { dueAtMs, line }
}

/** For example 'Instagram · Mirante do Lago'. */
function originLine({ source, development }: Lead): Line {
  const parts = [source === UNKNOWN_SOURCE ? null : sourceLabel(source), development]
  const words = parts.filter((part) => part !== null && part !== '').join(' · ')
  return words === ''
    ? { glyph: 'none', words: NO_ACTION, tone: 'quiet' }
    : { glyph: 'origin', words, tone: 'quiet' }
}
