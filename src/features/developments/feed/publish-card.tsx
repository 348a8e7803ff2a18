// The card where an administrator publishes pages of developments and the feed for portals, and has visits noted.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { countOf } from '#domain/count.ts'
import { formatDate } from '#domain/format.ts'
import { ask } from '#ui/feedback/ask.ts'
import { LinkDialog } from '#ui/feedback/link-dialog.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { TextField } from '#ui/forms/field.tsx'
import { Switch } from '#ui/forms/switch.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Card } from '#ui/primitives/card.tsx'
import {
  endFeedOut,
  publishingQuery,
  publishPage,
  renewFeedOut,
  tellVisits,
  type Publishing,
} from './feed-data.ts'
import { LeftOutCard } from './left-out-card.tsx'
import { PageLink } from './listings-card.tsx'

const onError = (error: Error) => toast(error.message, 'error')

export function PublishCard({ onOpen }: { onOpen: (developmentId: number) => void }) {
  const { data } = useQuery(publishingQuery())
  if (!data) return null
  return (
    <>
      <Card title="Páginas públicas" note={countOf(data.published, 'no ar', 'no ar')}>
        <Developments developments={data.developments} />
        <Visits isOn={data.tellsVisits} />
      </Card>
      <OutCard key={data.out?.madeAt} out={data.out} />
      {data.out !== null && <LeftOutCard onOpen={onOpen} />}
    </>
  )
}

function Developments({ developments }: Pick<Publishing, 'developments'>) {
  const isOnline = useIsOnline()
  const publish = useMutation({ ...publishPage(), onError })
  return (
    <ul className="max-h-80 overflow-y-auto">
      {developments.map(({ id, name, slug, isPublished }) => (
        <li key={id} className="flex items-center border-t border-border pl-4 lg:pl-5">
          <span className="min-w-0 grow text-14 wrap-anywhere">{name}</span>
          {isPublished && slug !== null && <PageLink slug={slug} title={name} />}
          <Switch
            isBare
            label={`Publicar ${name}`}
            isOn={isPublished}
            isDisabled={!isOnline || publish.isPending}
            onChange={(isOn) => publish.mutate({ developmentId: id, isPublished: isOn })}
          />
        </li>
      ))}
    </ul>
  )
}

function Visits({ isOn }: { isOn: boolean }) {
  const isOnline = useIsOnline()
  const tell = useMutation({ ...tellVisits(), onError })
  return (
    <div className="border-t border-border">
      <Switch
        label="Contar visitas do lead"
        hint="Quando um lead abre a página pelo link que o corretor mandou, o caminho do lead diz."
        isOn={isOn}
        isDisabled={!isOnline || tell.isPending}
        onChange={(isWanted) => tell.mutate(isWanted)}
      />
    </div>
  )
}

function OutCard({ out }: Pick<Publishing, 'out'>) {
  const isOnline = useIsOnline()
  const [email, setEmail] = useState(out?.email ?? '')
  const [state, setState] = useState(out?.state ?? '')
  const [link, setLink] = useState<string | null>(null)
  const renew = useMutation({ ...renewFeedOut(), onError, onSuccess: setLink })
  const end = useMutation({ ...endFeedOut(), onError })
  const isReady = email.includes('@') && state.length === 2
  const make = () => renew.mutate({ email: email.trim(), state })
  const replace = () =>
    ask({
      question: 'Trocar o endereço?',
      consequence: 'O endereço atual para de funcionar: cole o novo nos portais.',
      action: { label: 'Trocar', run: make },
    })
  const stop = () =>
    ask({
      question: 'Encerrar o feed?',
      consequence: 'Os portais deixam de ler os seus imóveis.',
      action: { label: 'Encerrar', run: () => end.mutate(), tone: 'danger' },
    })
  return (
    <Card
      title="Feed para portais"
      note={out === null ? undefined : `desde ${formatDate(Date.parse(out.madeAt)).slice(0, 5)}`}
    >
      <div className="flex flex-col gap-3 px-4 pb-4 lg:px-5">
        <p className="text-13 leading-normal text-text-2">
          Um endereço secreto em VRSync com o que está publicado, para ZAP, VivaReal e OLX.
        </p>
        <div className="grid grid-cols-[minmax(0,1fr)_5rem] gap-3">
          <TextField
            label="E-mail de contato"
            type="email"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
          <TextField
            label="Estado"
            placeholder="SP"
            maxLength={2}
            value={state}
            onChange={({ target }) => setState(target.value.toUpperCase())}
          />
        </div>
        <div className="flex flex-wrap gap-2.5">
          <Button
            variant="soft"
            disabled={!isOnline || !isReady}
            busy={renew.isPending && 'Criando…'}
            onClick={out === null ? make : replace}
          >
            {out === null ? 'Criar endereço' : 'Trocar endereço'}
          </Button>
          {out !== null && (
            <Button variant="ghost" disabled={!isOnline} onClick={stop}>
              Encerrar
            </Button>
          )}
        </div>
      </div>
      <LinkDialog
        title="Endereço do feed"
        shown={
          link === null
            ? null
            : { link, hint: 'Ele aparece só agora. Quem tem o endereço lê os imóveis publicados.' }
        }
        onClose={() => setLink(null)}
      />
    </Card>
  )
}
