// What a broker can do in a conversation, on the board and on 'Hoje'. Each part loads when it is first shown.
import { Suspense, useMemo } from 'react'
import type { BrokerActs } from '#features/conversation/broker-acts.ts'
import { UndecidedStrip } from '#features/outbox/undecided-strip.tsx'
import { askToMark } from '#features/private/opening.ts'
import { askToBook } from '#features/visit/visit-opening.ts'
import { toast } from '#ui/feedback/toast.ts'
import { lazily } from '#ui/lazily.ts'

const strip = lazily(async () => (await import('#features/next-step/next-step-strip.tsx')).NextStepStrip)
const visitPlace = lazily(async () => (await import('#features/visit/visit-place.tsx')).VisitPlace)

const ALWAYS: Pick<BrokerActs, 'bookVisit' | 'quiet' | 'below' | 'offerNextStep'> = {
  bookVisit: askToBook,
  quiet: (lead) => void import('#features/next-step/use-deeds.ts').then((deeds) => deeds.quiet(lead)),
  // The conversation does not wait for these two parts.
  below: (lead) => (
    <>
      <UndecidedStrip lead={lead} />
      <Suspense>
        <visitPlace.Component key={lead.id} lead={lead} />
      </Suspense>
    </>
  ),
  offerNextStep: (props) => (
    <Suspense>
      <strip.Component {...props} onVisit={askToBook} />
    </Suspense>
  ),
}

/** `onClose` closes the conversation, because a private lead leaves the board and an unread lead must not be open. */
export function useBrokerActs(onClose: () => void, changeNext: BrokerActs['changeNext']): BrokerActs {
  return useMemo(
    () => ({
      ...ALWAYS,
      changeNext,
      notLead: (lead) => askToMark(lead, onClose),
      unread: (lead) => {
        onClose()
        import('#data/read-marks.ts')
          .then(({ markUnread }) => markUnread(lead))
          .catch(() => toast('A conversa não foi marcada. Tente de novo.', 'error'))
      },
    }),
    [onClose, changeNext],
  )
}
