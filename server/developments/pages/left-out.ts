// Decides what the feed for portals leaves out, because portals refuse it. Each rule returns its reasons.
import { LEFT_OUT_REASONS, type LeftOutReason } from '#domain/development/left-out.ts'
import type { ListingContent, PagePlan } from './content.ts'
import { publishedKind } from './published-kind.ts'

type ListingFacts = Pick<ListingContent, 'kind' | 'saleCents' | 'rentCents'>
type PlanFacts = Pick<PagePlan, 'priceFromCents' | 'isSoldOut'>
type PageFacts = { hasPhoto: boolean; city: string | null }

/** A published page as portal.published_facts returns it; `id` is the page's. */
export type PublishedFacts = PageFacts & { id: number; code: string; name: string } & (
    | ({ type: 'listing' } & ListingFacts)
    | { type: 'development'; developmentId: number; plans: (PlanFacts & Pick<PagePlan, 'id' | 'name'>)[] }
  )

/** Why a page and everything on it is left out; empty if it is in the feed. */
export const pageReasons = ({ hasPhoto, city }: PageFacts): LeftOutReason[] => [
  ...(hasPhoto ? [] : ['photo' as const]),
  ...(city === null ? ['city' as const] : []),
]

export const listingReasons = ({ kind, saleCents, rentCents }: ListingFacts): LeftOutReason[] => [
  ...(publishedKind(kind) === null ? ['kind' as const] : []),
  ...(saleCents === null && rentCents === null ? ['price' as const] : []),
]

export const planReasons = ({ priceFromCents, isSoldOut }: PlanFacts): LeftOutReason[] =>
  priceFromCents === null ? [isSoldOut ? 'sold-out' : 'plan-price'] : []

type Item = {
  code: string
  name: string
  /** The type that no portal knows; else null. */
  kind: string | null
  /** Null for a listing. */
  developmentId: number | null
}
type LeftOut = Item & { reasons: LeftOutReason[] }

function leftOutOf(page: PublishedFacts): LeftOut[] {
  const { code, name } = page
  const ofPage = pageReasons(page)
  if (page.type === 'listing')
    return [
      {
        code,
        name,
        kind: publishedKind(page.kind) === null ? page.kind : null,
        developmentId: null,
        reasons: [...ofPage, ...listingReasons(page)],
      },
    ]
  const { developmentId, plans } = page
  const whole = { code, name, kind: null, developmentId }
  return [
    { ...whole, reasons: [...ofPage, ...(plans.length === 0 ? ['plans' as const] : [])] },
    ...plans.map((plan) => ({
      ...whole,
      code: `${code}-${plan.id}`,
      name: `${name}, ${plan.name}`,
      reasons: planReasons(plan),
    })),
  ]
}

/** The items that an answer names for each reason; further ones are only counted. */
const MAX_NAMED = 100

/** Counts what is left out, by reason. `total` counts an item with several reasons once. */
export function createLeftOut() {
  const byReason = new Map(
    LEFT_OUT_REASONS.map((reason) => [reason, { reason, count: 0, items: [] as Item[] }]),
  )
  let total = 0
  return {
    add(page: PublishedFacts) {
      for (const { reasons, ...item } of leftOutOf(page)) {
        if (reasons.length > 0) total += 1
        for (const reason of reasons) {
          const group = byReason.get(reason)
          if (!group) continue
          group.count += 1
          if (group.items.length < MAX_NAMED) group.items.push(item)
        }
      }
    },
    answer: () => ({ total, reasons: [...byReason.values()].filter(({ count }) => count > 0) }),
  }
}
