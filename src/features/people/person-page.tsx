// The page about one person's data, found by a number or opened from a lead. It shows, exports and erases the data
// (LGPD art. 18).
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Phone, Search, UserX } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { type Erased, personQuery } from './data.ts'
import type { PersonAsked } from '#domain/person-data.ts'
import { readTyped } from '#domain/phone/typed.ts'
import { Button } from '#ui/primitives/button.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { State } from '#ui/feedback/state.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { PersonData } from './person-data.tsx'
import { erasedText } from './texts.ts'

const TITLE = 'Dados de uma pessoa'

type PersonPageProps = {
  /** The lead whose person is shown. If undefined, the page asks for a number. */
  leadId: number | undefined
  onLeaveLead: () => void
}

export function PersonPage({ leadId, onLeaveLead }: PersonPageProps) {
  usePageTitle(TITLE)
  const [who, setWho] = useState<PersonAsked | null>(leadId === undefined ? null : { contactId: leadId })
  const [erased, setErased] = useState<Erased | null>(null)
  const search = (asked: PersonAsked | null) => {
    setErased(null)
    setWho(asked)
  }
  const finish = (counts: Erased) => {
    setErased(counts)
    setWho(null)
    if (leadId !== undefined) onLeaveLead()
  }
  return (
    <>
      <header className="pb-5">
        <h1 className="text-24 font-semibold tracking-heading">{TITLE}</h1>
        <p className="text-14 text-text-2">
          Pedidos da LGPD: veja tudo o que o portal guarda sobre alguém, entregue uma cópia ou exclua de vez.
        </p>
      </header>
      <NumberForm onLook={search} />
      {/* This element exists before it has a text, because screen readers announce only changes. */}
      <output className="block pt-4 empty:hidden">
        {erased && (
          <span className="flex items-center gap-2.5 rounded-tab bg-success-soft px-4 py-3 text-14 font-medium text-on-success-soft">
            <Icon of={CircleCheck} size={20} />
            {erasedText(erased)}
          </span>
        )}
      </output>
      {who && <Held key={JSON.stringify(who)} who={who} onErased={finish} />}
    </>
  )
}

/** Calls `onLook` with null if the number is not valid, so that no earlier result stays beside it. */
function NumberForm({ onLook }: { onLook: (who: PersonAsked | null) => void }) {
  const isOnline = useIsOnline()
  const [number, setNumber] = useState('')
  const [isWrong, setWrong] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isOnline) return
    void readTyped(number).then(({ numbers: [found] }) => {
      setWrong(found === undefined)
      onLook(found === undefined ? null : { number: found })
    })
  }
  return (
    <form noValidate onSubmit={submit} className="flex max-w-140 flex-wrap items-end gap-3">
      <div className="min-w-0 flex-[1_1_15rem]">
        <TextField
          label="Número de telefone"
          icon={Phone}
          type="tel"
          inputMode="tel"
          autoComplete="off"
          placeholder="(11) 95550-0142"
          value={number}
          error={isWrong && 'Informe o número com DDD.'}
          onChange={({ target }) => {
            setNumber(target.value)
            setWrong(false)
          }}
        />
      </div>
      <Button type="submit" icon={Search} disabled={!isOnline} title={isOnline ? undefined : ONLINE_ONLY}>
        Buscar
      </Button>
    </form>
  )
}

function Held({ who, onErased }: { who: PersonAsked; onErased: (counts: Erased) => void }) {
  const read = useQuery(personQuery(who))
  const { data } = read
  if (data === undefined)
    return read.error ? (
      <FailedRead of={read} />
    ) : (
      <div className="flex flex-col gap-3 pt-6" aria-busy>
        <Skeleton className="h-24 rounded-lg!" />
        <Skeleton className="h-64 rounded-lg!" />
      </div>
    )
  if (data.places.length === 0)
    return (
      <State
        kind="empty"
        icon={UserX}
        title="O portal não tem dados desta pessoa."
        {...(data.optedOutAtMs === null ? {} : { hint: 'Nenhuma campanha chega a este número.' })}
      />
    )
  return <PersonData who={who} held={data} onErased={onErased} />
}
