// Shows the offers of rotations on every screen: leads to accept with the time left, and the bolsão.
import { countOf } from '#domain/count.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Inbox } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { type Offer, type Offers as Mine, offersQuery, type Pooled, type Intent } from './data.ts'
import { Banner } from '#ui/primitives/banner.tsx'
import { tremble } from '#ui/feedback/haptics.ts'
import { announce, toast } from '#ui/feedback/toast.ts'
import { OfferCard } from './offer-card.tsx'
import { PoolDialog } from './pool-dialog.tsx'
import { offerSpoken } from './texts.ts'
import { type Answering, useAnswer } from './use-answer.ts'
import { useSecond } from './use-second.ts'

const NO_OFFERS: readonly Offer[] = []
const NO_POOL: readonly Pooled[] = []

/** What each button of a notification, by its name in the address, does with the offer. */
const WISH: Readonly<Record<string, Intent>> = { aceitar: 'accept', passar: 'pass', pegar: 'claim' }

export function Offers() {
  const { data, refetch } = useQuery(offersQuery())
  const navigate = useNavigate()
  const isOnline = useIsOnline()
  const [isInPool, setInPool] = useState(false)
  const answering = useAnswer((contactId) => {
    setInPool(false)
    void navigate({ to: '/broker', search: { lead: contactId } })
  })
  const offers = data?.offers ?? NO_OFFERS
  const pool = data?.pool ?? NO_POOL
  const nowMs = useSecond(offers.length > 0)
  const standing = offers.filter(({ expiresAtMs }) => expiresAtMs > nowMs)
  useExpiry(standing.length < offers.length)
  useOfferEvents(offers)
  useAsked({ answering, refetch, onPool: () => setInPool(true) })
  return (
    <>
      <div className="flex max-h-[50dvh] shrink-0 flex-col gap-2 overflow-y-auto px-4 pt-2 empty:hidden lg:px-8">
        {standing.length > 0 && (
          <section aria-label="Leads para aceitar" className="flex flex-col gap-2 pb-1">
            {standing.map((offer) => (
              <OfferCard
                key={offer.id}
                offer={offer}
                nowMs={nowMs}
                isOnline={isOnline}
                answering={answering}
              />
            ))}
          </section>
        )}
        {pool.length > 0 && (
          <Banner tone="warning" icon={Inbox} action={{ label: 'Ver', run: () => setInPool(true) }}>
            {`${countOf(pool.length, 'lead', 'leads')} no bolsão`}
          </Banner>
        )}
      </div>
      <PoolDialog
        isOpen={isInPool}
        onClose={() => setInPool(false)}
        pool={pool}
        isOnline={isOnline}
        answering={answering}
      />
    </>
  )
}

/** Reads the offers again after one has expired: another broker may have it now, or it may be in the bolsão. */
function useExpiry(hasRunOut: boolean) {
  const client = useQueryClient()
  useEffect(() => {
    if (hasRunOut) void client.invalidateQueries(offersQuery())
  }, [client, hasRunOut])
}

/** Vibrates and tells screen readers once about each new offer. */
function useOfferEvents(offers: readonly Offer[]) {
  const known = useRef<ReadonlySet<number>>(new Set())
  useEffect(() => {
    const newOffer = offers.find(({ id }) => !known.current.has(id))
    known.current = new Set(offers.map(({ id }) => id))
    if (!newOffer) return
    tremble('done')
    announce(offerSpoken(newOffer.firstName, newOffer.development))
  }, [offers])
}

type AskedOptions = {
  answering: Answering
  /** Reads the offers again, because the cached ones may be older than the push. */
  refetch: () => Promise<{ data: Mine | undefined; isSuccess: boolean }>
  onPool: () => void
}

/** A tapped notification opens the app with the offer's id and the pressed button in the address. */
function useAsked({ answering, refetch, onPool }: AskedOptions) {
  const { oferta: id, resposta } = useSearch({ from: '/broker/', shouldThrow: false }) ?? {}
  const navigate = useNavigate()
  const takeUp = useEffectEvent(async (offer: number, intent: Intent | undefined) => {
    // The request is being handled, so the address no longer needs it.
    void navigate({ to: '/broker', search: {}, replace: true })
    // The server itself refuses an expired offer. A broker who already has the lead gets a success once more.
    if (intent) return answering.answer(offer, intent)
    const { data: mine, isSuccess } = await refetch()
    const isIt = (each: { id: number }) => each.id === offer
    if (mine?.pool.some(isIt)) onPool()
    else if (isSuccess && !mine?.offers.some(isIt)) toast('Este lead já não está esperando por você', 'info')
  })
  const intent = WISH[resposta ?? '']
  useEffect(() => {
    if (id !== undefined) void takeUp(id, intent)
  }, [id, intent])
}
