// The board as columns: which lead stands where, and in what order. Spec 2.9, 3; INTERACTIONS 4.
import type { Board } from '#data/leads.ts'
import { isFresh, type Lead, leadTitle } from '#domain/lead.ts'
import { formatRelative } from '#domain/format.ts'
import { DEFAULT_STAGE_SLUG, type Stage } from '#domain/stage.ts'

export type Column = {
  stage: Stage
  /** Those in memory; right after the start the first screen alone. */
  leads: readonly Lead[]
  /** How many stand in the stage, in memory or not. */
  total: number
}

/**
 * One column per stage, in the stages' order, the latest talk on top.
 * A lead whose status is no stage stands in the default one, so that nobody is lost from sight.
 */
export function toColumns({ leads, stages, missing }: Board): Column[] {
  const bySlug = new Map<string, Lead[]>(stages.map((stage) => [stage.slug, []]))
  const fallback = bySlug.has(DEFAULT_STAGE_SLUG) ? DEFAULT_STAGE_SLUG : (stages[0]?.slug ?? '')
  const columnOf = (slug: string) => (bySlug.has(slug) ? slug : fallback)
  for (const lead of leads.values()) bySlug.get(columnOf(lead.stageSlug))?.push(lead)
  const unread = new Map<string, number>()
  for (const [slug, count] of missing) unread.set(columnOf(slug), (unread.get(columnOf(slug)) ?? 0) + count)
  return stages.map((stage) => {
    const own = bySlug.get(stage.slug) ?? []
    return { stage, leads: own.toSorted(byLatestTalk), total: own.length + (unread.get(stage.slug) ?? 0) }
  })
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
