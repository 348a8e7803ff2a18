// The board as columns: which lead stands where, and in what order. Spec 2.9, 3; INTERACTIONS 4.
import type { Board } from '#data/leads.ts'
import { isFresh, type Lead, leadTitle } from '#domain/lead.ts'
import { formatRelative } from '#domain/format.ts'
import { DEFAULT_STAGE_SLUG, type Stage } from '#domain/stage.ts'

export type Column = { stage: Stage; leads: readonly Lead[] }

/**
 * One column per stage, in the stages' order, the latest talk on top.
 * A lead whose status is no stage stands in the default one, so that nobody is lost from sight.
 */
export function toColumns({ leads, stages }: Board): Column[] {
  const bySlug = new Map<string, Lead[]>(stages.map((stage) => [stage.slug, []]))
  const fallback = bySlug.get(DEFAULT_STAGE_SLUG) ?? bySlug.get(stages[0]?.slug ?? '')
  for (const lead of leads.values()) (bySlug.get(lead.stageSlug) ?? fallback)?.push(lead)
  return stages.map((stage) => ({ stage, leads: (bySlug.get(stage.slug) ?? []).toSorted(byLatestTalk) }))
}

function byLatestTalk(a: Lead, b: Lead): number {
  return spokenAtMs(b) - spokenAtMs(a) || b.id - a.id
}

function spokenAtMs(lead: Lead): number {
  return lead.lastMessage ? lead.lastMessage.sentAtSeconds * 1000 : lead.createdAtMs
}

/** The column to show where one fills the screen: the one asked for, else the default stage, else the first. */
export function findColumn(columns: readonly Column[], slug: string | undefined): number {
  const at = (wanted: string | undefined) => columns.findIndex(({ stage }) => stage.slug === wanted)
  const asked = at(slug)
  return asked >= 0 ? asked : Math.max(0, at(DEFAULT_STAGE_SLUG))
}

/** What a screen reader says of a card. DESIGN-SYSTEM 10. */
export function describeLead(lead: Lead, nowMs: number): string {
  const { lastMessage, notes } = lead
  const parts = [leadTitle(lead)]
  if (lastMessage) {
    parts.push(`, mensagem ${formatRelative(lastMessage.sentAtSeconds * 1000, nowMs, 'full')}`)
    if (isFresh(lead, nowMs)) parts.push(', recente')
    parts.push(`: ${lastMessage.direction === 'outgoing' ? 'Você: ' : ''}${lastMessage.body}`)
  }
  if (notes) parts.push(`. Nota: ${notes}`)
  return parts.join('')
}
