// Shows which data is stored about a person: at which brokers, of which kinds, since when. It can be exported and
// erased.
import { useMutation } from '@tanstack/react-query'
import { Download, Trash2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { type Erased, exportPerson } from './data.ts'
import { formatNumber } from '#domain/count.ts'
import { displayName } from '#domain/broker.ts'
import { formatDate } from '#domain/format.ts'
import {
  type HeldData,
  type HeldLead,
  type HeldPlace,
  type PersonAsked,
  PLACES,
} from '#domain/person-data.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { download } from '#ui/download.ts'
import { type Column, Table } from '#ui/primitives/table.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import { EraseDialog } from './erase-dialog.tsx'
import { SaveConversation } from './save-conversation.tsx'

const HIDDEN = 'Número oculto'

const HELD = 'O que está guardado'

const CONTACTS = 'Contatos'

const UNNAMED = 'Sem nome'

type PersonDataProps = { who: PersonAsked; held: HeldData; onErased: (counts: Erased) => void }

export function PersonData({ who, held, onErased }: PersonDataProps) {
  const isOnline = useIsOnline()
  const [isAsked, setAsked] = useState(false)
  // The hook's callbacks tell of a failure even if the user has searched for another person meanwhile.
  const { mutate: save, isPending } = useMutation({
    ...exportPerson(),
    onSuccess: (file) => download('dados-de-uma-pessoa.zip', file, 'application/zip'),
    onError: ({ message }) => toast(`Erro ao baixar: ${message}`, 'error'),
  })
  const named = held.leads.find(({ name }) => name?.trim())
  const number = held.leads.find((lead) => lead.number !== null)?.number
  const away = { disabled: !isOnline, title: isOnline ? undefined : ONLINE_ONLY }
  return (
    <div className="flex flex-col gap-5 pt-6">
      <section className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg bg-surface p-5 shadow-card">
        <Avatar name={named?.name ?? null} size={44} />
        <div className="min-w-40 grow basis-0">
          <h2 className="text-17 font-semibold wrap-anywhere">{named?.name?.trim() ?? UNNAMED}</h2>
          <p className="text-14 text-text-2 tabular-nums">{number ? formatPhone(number) : HIDDEN}</p>
        </div>
        {held.optedOutAtMs !== null && (
          <Badge tone="warning">{`Não recebe campanhas desde ${formatDate(held.optedOutAtMs)}`}</Badge>
        )}
        <div className="flex grow flex-wrap gap-2 *:grow md:grow-0">
          <Button
            variant="line"
            icon={Download}
            {...away}
            busy={isPending && 'Preparando…'}
            onClick={() => save(who)}
          >
            Baixar tudo
          </Button>
          <Button variant="danger" icon={Trash2} {...away} onClick={() => setAsked(true)}>
            Excluir os dados desta pessoa
          </Button>
        </div>
      </section>
      {held.leads.length > 0 && (
        <Listed title={CONTACTS}>
          <Table label={CONTACTS} columns={LEADS} rows={held.leads} keyOf={({ id }) => id} />
        </Listed>
      )}
      <Listed title={HELD}>
        <Table label={HELD} columns={KINDS} rows={held.places} keyOf={({ place }) => place} />
      </Listed>
      <EraseDialog
        who={who}
        held={held}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onErased={onErased}
      />
    </div>
  )
}

function Listed({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="pb-2 text-17 font-semibold">
        {title}
      </h2>
      <div className="overflow-hidden rounded-lg bg-surface shadow-card">{children}</div>
    </section>
  )
}

const LEADS: readonly Column<HeldLead>[] = [
  {
    title: 'Corretor',
    place: 'head',
    cell: ({ instanceName }) => (
      <span className="font-medium">
        {instanceName === null ? 'Sem corretor' : displayName(instanceName)}
      </span>
    ),
  },
  {
    title: 'Nome',
    place: 'words',
    cell: ({ name }) => <span className="wrap-anywhere">{name?.trim() || UNNAMED}</span>,
  },
  {
    title: 'Número',
    cell: ({ number }) => (
      <span className="whitespace-nowrap tabular-nums">{number ? formatPhone(number) : HIDDEN}</span>
    ),
  },
  { title: 'Estágio', cell: ({ stage }) => stage },
  {
    title: 'Mensagens',
    isNumber: true,
    cell: ({ messages }) => <span className="tabular-nums">{formatNumber(messages)}</span>,
  },
  { title: 'Desde', cell: ({ createdAtMs }) => <Day atMs={createdAtMs} /> },
  { title: 'Conversa', cell: (lead) => lead.messages > 0 && <SaveConversation lead={lead} /> },
]

const KINDS: readonly Column<HeldPlace>[] = [
  {
    title: 'O quê',
    place: 'head',
    cell: ({ place }) => <span className="block py-1 font-medium">{PLACES[place].label}</span>,
  },
  {
    title: 'Quantos',
    isNumber: true,
    place: 'mark',
    cell: ({ count }) => <span className="tabular-nums">{formatNumber(count)}</span>,
  },
  {
    title: 'Quando',
    place: 'words',
    cell: ({ fromMs, toMs }) => (
      <span className="text-text-2">
        <Day atMs={fromMs} />
        {formatDate(fromMs) !== formatDate(toMs) && (
          <>
            {' a '}
            <Day atMs={toMs} />
          </>
        )}
      </span>
    ),
  },
]

function Day({ atMs }: { atMs: number }) {
  return (
    <time dateTime={new Date(atMs).toISOString()} className="whitespace-nowrap text-text-2 tabular-nums">
      {formatDate(atMs)}
    </time>
  )
}
