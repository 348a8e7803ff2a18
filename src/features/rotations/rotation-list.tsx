// Lists the rotations: name, state, brokers, creation date. Each can be switched on and off, deleted and opened.
import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus, RefreshCw, Trash2 } from 'lucide-react'
import { useIsOnline } from '#data/connectivity.ts'
import { useIsAdmin } from '#data/is-admin.ts'
import { rotationInboxQuery } from './inbox/data.ts'
import { removeRotation, rotationsQuery, switchRotation } from './data.ts'
import { formatDateTime, formatDate } from '#domain/format.ts'
import type { Rotation } from '#domain/rotation/editing.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { State } from '#ui/feedback/state.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Switch } from '#ui/forms/switch.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import { InboxOffer } from './inbox/offer.tsx'
import { brokerCount, NEW } from './texts.ts'

const SKELETONS = 5

type RotationListProps = { onOpen: (rotation: Rotation) => void; onNew: () => void }

export function RotationList({ onOpen, onNew }: RotationListProps) {
  const read = useQuery(rotationsQuery())
  const { data: rotations } = read
  const isAdmin = useIsAdmin()
  const { data: inbox } = useQuery({ ...rotationInboxQuery(), enabled: isAdmin })
  const isOnline = useIsOnline()
  if (!rotations) return read.error ? <FailedRead of={read} title="Erro ao carregar roletas" /> : <Rows />
  if (rotations.length === 0)
    return (
      <State
        kind="empty"
        icon={RefreshCw}
        title="Nenhuma roleta ainda."
        hint={
          isAdmin
            ? 'Crie uma por empreendimento: ela reparte os novos leads entre os corretores.'
            : 'O administrador diz quais roletas são da sua equipe.'
        }
      >
        {isAdmin && (
          <Button icon={Plus} disabled={!isOnline} onClick={onNew}>
            {NEW}
          </Button>
        )}
      </State>
    )
  return (
    <>
      <div className="pb-4 empty:hidden">
        <FailedRead of={read} shownFrom={formatDateTime(read.dataUpdatedAt)} />
      </div>
      <ul className="flex flex-col gap-2.5">
        {rotations.map((rotation) => (
          <RotationRow
            key={rotation.id}
            rotation={rotation}
            inboxLeads={rotation.isActive ? (inbox?.get(rotation.id) ?? 0) : 0}
            isOnline={isOnline}
            onOpen={() => onOpen(rotation)}
          />
        ))}
      </ul>
    </>
  )
}

type RotationRowProps = {
  rotation: Rotation
  /** How many of the administrator's leads this rotation could take. */
  inboxLeads: number
  isOnline: boolean
  onOpen: () => void
}

function RotationRow({ rotation, inboxLeads, isOnline, onOpen }: RotationRowProps) {
  const { id, name, isActive, seatCount, createdAtMs } = rotation
  const isAdmin = useIsAdmin()
  const switching = useMutation({
    ...switchRotation(),
    onError: () => toast('Erro ao alterar status da roleta', 'error'),
  })
  const removing = useMutation({
    ...removeRotation(),
    onSuccess: () => toast('Roleta removida com sucesso!', 'success'),
    onError: () => toast('Erro ao remover roleta', 'error'),
  })
  const remove = () =>
    ask({
      question: `Tem certeza que deseja remover a roleta "${name}"?`,
      consequence:
        'A fila e as regras dela se perdem. Os leads que ela já entregou ficam com seus corretores; os novos deste empreendimento ficam com o administrador.',
      action: { label: 'Remover', run: () => removing.mutate(rotation) },
    })
  return (
    <li className="relative flex min-h-19 items-center gap-3 rounded-lg bg-surface py-3 pr-2.5 pl-4 shadow-card transition-colors hover:bg-surface-2 lg:pr-4 lg:pl-5.5">
      <div className="min-w-0 grow">
        <h2 className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-16 leading-snug font-semibold tracking-name">
          {/* The whole row opens the rotation; the row's other buttons lie above that press area. */}
          <button
            type="button"
            aria-haspopup="dialog"
            aria-label={`Abrir a roleta ${name}`}
            onClick={onOpen}
            className="text-left wrap-anywhere after:absolute after:inset-0 after:rounded-lg"
          >
            {name}
          </button>
          <Badge tone={isActive ? 'success' : 'neutral'}>{isActive ? 'Ativa' : 'Inativa'}</Badge>
        </h2>
        <p className="mt-0.5 text-14 text-text-3 tabular-nums">
          {brokerCount(seatCount)} · {`Criada em ${formatDate(createdAtMs)}`}
        </p>
        {inboxLeads > 0 && <InboxOffer rotation={rotation} leads={inboxLeads} isOnline={isOnline} />}
      </div>
      <span
        className="relative z-1 flex shrink-0 items-center gap-1"
        title={isOnline ? undefined : ONLINE_ONLY}
      >
        <Switch
          isBare
          label={`Roleta ${name} ativa`}
          isOn={isActive}
          isDisabled={!isOnline}
          onChange={(wanted) => switching.mutate({ id, isActive: wanted })}
        />
        {isAdmin && (
          <IconButton
            icon={Trash2}
            label={`Remover a roleta ${name}`}
            disabled={!isOnline || removing.isPending}
            onClick={remove}
          />
        )}
      </span>
    </li>
  )
}

function Rows() {
  return (
    <div className="flex flex-col gap-2.5">
      {Array.from({ length: SKELETONS }, (_, index) => (
        <Skeleton key={index} className="h-19 rounded-lg!" />
      ))}
    </div>
  )
}
