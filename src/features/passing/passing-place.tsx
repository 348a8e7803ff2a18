// Shows on every broker screen which leads colleagues pass to this broker and which passes were declined, and renders
// the sheet that passes a lead.
import { useState } from 'react'
import { UserRoundX } from 'lucide-react'
import { useBoard } from '#data/board/leads.ts'
import {
  answerPass,
  type Incoming,
  type Outgoing,
  passLead,
  useAskedToPass,
  usePassing,
} from '#data/passes.ts'
import { displayName } from '#domain/broker.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Banner } from '#ui/primitives/banner.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { PassSheet } from './pass-sheet.tsx'

const FAILED = 'Não deu para guardar neste aparelho. Tente de novo.'

export function PassingPlace({ instanceName }: { instanceName: string }) {
  const passing = usePassing()
  const { board } = useBoard(instanceName)
  const [lead, setLead] = useState<Lead>()
  useAskedToPass(setLead)
  if (!passing) return null
  const declined = passing.outgoing.flatMap((pass) => {
    const known = pass.isDeclined ? board?.leads.get(pass.contactId) : undefined
    return known ? [{ pass, lead: known }] : []
  })
  return (
    <>
      <div className="flex max-h-[50dvh] shrink-0 flex-col gap-2 overflow-y-auto px-4 pt-2 empty:hidden lg:px-8">
        {passing.incoming.map((pass) => (
          <IncomingCard key={pass.contactId} pass={pass} />
        ))}
        {declined.map((each) => (
          <Declined key={each.lead.id} {...each} />
        ))}
      </div>
      <PassSheet
        lead={lead}
        colleagues={passing.colleagues}
        waitsFor={
          passing.outgoing.find(({ contactId, isDeclined }) => contactId === lead?.id && !isDeclined)?.to
        }
        onClose={() => setLead(undefined)}
      />
    </>
  )
}

function IncomingCard({ pass }: { pass: Incoming }) {
  const name = pass.firstName ?? 'Um lead'
  const answer = (accepts: boolean) =>
    void answerPass(pass, accepts).then(
      () =>
        toast(
          accepts ? `${name} vem para o seu quadro` : `${name} fica com ${displayName(pass.from)}`,
          'info',
        ),
      () => toast(FAILED, 'error'),
    )
  return (
    <article
      aria-label={name}
      className="flex flex-col gap-3 rounded-card bg-sun-soft p-4 shadow-card-fresh md:flex-row md:flex-wrap md:items-center"
    >
      <div className="min-w-0 grow">
        <p className="text-13 font-semibold text-on-sun-soft">
          {displayName(pass.from)} quer passar este lead para você
        </p>
        <h2 className="text-17 font-semibold tracking-name wrap-anywhere">{name}</h2>
        {pass.development !== null && <p className="text-14 text-text-2 wrap-anywhere">{pass.development}</p>}
      </div>
      <div className="grid grid-cols-2 gap-2 md:w-72">
        <Button variant="line" aria-label={`Recusar ${name}`} onClick={() => answer(false)}>
          Recusar
        </Button>
        <Button aria-label={`Aceitar ${name}`} onClick={() => answer(true)}>
          Aceitar
        </Button>
      </div>
    </article>
  )
}

function Declined({ pass, lead }: { pass: Outgoing; lead: Lead }) {
  const end = () => void passLead(lead, null).catch(() => toast(FAILED, 'error'))
  return (
    <Banner tone="warning" icon={UserRoundX} action={{ label: 'Entendi', run: end }}>
      {`${displayName(pass.to)} não pode ficar com ${leadTitle(lead)}. O lead continua com você.`}
    </Banner>
  )
}
