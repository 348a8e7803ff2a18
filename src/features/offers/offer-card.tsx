// The card of one lead that the broker may accept: first name, development, the time left, Aceitar and Passar.
import type { Offer } from './data.ts'
import { Button } from '#ui/primitives/button.tsx'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { nameOf, NEW_LEAD, OFFLINE, timeLeft } from './texts.ts'
import type { Answering } from './use-answer.ts'

const PASS = 'Passar'

const ACCEPT = 'Aceitar'

const TIME_LEFT = 'Tempo para aceitar'

type OfferCardProps = { offer: Offer; nowMs: number; isOnline: boolean; answering: Answering }

export function OfferCard({ offer, nowMs, isOnline, answering: { answer, busy } }: OfferCardProps) {
  const { id, firstName, development, offeredAtMs, expiresAtMs } = offer
  const leftMs = expiresAtMs - nowMs
  const name = nameOf(firstName)
  const intent = busy?.id === id ? busy.intent : null
  const isOff = !isOnline || (busy !== null && intent === null)
  return (
    <article
      aria-label={name}
      className="flex flex-col gap-3 rounded-card bg-sun-soft p-4 shadow-card-fresh md:flex-row md:flex-wrap md:items-center"
    >
      <div className="min-w-0 grow">
        <p className="flex items-baseline justify-between gap-3 text-13 font-semibold text-on-sun-soft md:justify-start">
          {NEW_LEAD}
          <span role="timer" aria-label={TIME_LEFT} className="text-17 tabular-nums">
            {timeLeft(leftMs)}
          </span>
        </p>
        <h2 className="text-17 font-semibold tracking-name wrap-anywhere">{name}</h2>
        {development !== null && <p className="text-14 text-text-2 wrap-anywhere">{development}</p>}
      </div>
      <div className="grid grid-cols-2 gap-2 md:w-72">
        <Button
          variant="line"
          aria-label={`${PASS} ${name}`}
          disabled={isOff || intent === 'accept'}
          busy={intent === 'pass' && 'Passando...'}
          onClick={() => answer(id, 'pass')}
        >
          {PASS}
        </Button>
        <Button
          aria-label={`${ACCEPT} ${name}`}
          disabled={isOff || intent === 'pass'}
          busy={intent === 'accept' && 'Aceitando...'}
          onClick={() => answer(id, 'accept')}
        >
          {ACCEPT}
        </Button>
      </div>
      {!isOnline && <p className="text-13 text-text-2">{OFFLINE}</p>}
      <div aria-hidden className="md:basis-full">
        <ProgressBar
          label={TIME_LEFT}
          ratio={Math.min(1, Math.max(0, leftMs / (expiresAtMs - offeredAtMs)))}
        />
      </div>
    </article>
  )
}
