// Chooses who leads a team: one of its brokers, another broker, somebody who only leads, or nobody.
import { useMutation } from '@tanstack/react-query'
import { Check, Plus, UserRoundX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { PanelInvitation } from '#data/panel-invitation.ts'
import { displayName } from '#domain/broker.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { changeManager, type Manager, type Team, type Teams } from './data.ts'
import { ManagerAccess } from './manager-access.tsx'
import { NewManager } from './new-manager.tsx'
import { NO_MANAGER, NO_TEAM } from './texts.ts'

type ManagerDialogProps = {
  teams: Teams
  team: Team
  /** The gerente who is replaced; null if nobody is. */
  from: Manager | null
  onClose: () => void
  onInvited: (invitation: PanelInvitation) => void
}

type Choice = { id: string; name: string; hint: string; manager?: Manager }

/** Lists the team's own brokers first, then those who only lead, then all other brokers. */
function choicesOf({ teams, others, managers }: Teams, team: Team): Choice[] {
  const brokers = (of: Team['brokers'], hint: string) =>
    of.map(({ id, instanceName }) => ({ id, name: displayName(instanceName), hint }))
  return [
    ...brokers(team.brokers, 'Desta equipe'),
    ...managers.map((manager) => ({
      id: manager.id,
      name: displayName(manager.username),
      hint: manager.hasPassword ? 'Só gerencia' : 'Só gerencia · aguardando primeiro acesso',
      manager,
    })),
    ...teams
      .filter(({ id }) => id !== team.id)
      .flatMap(({ brokers: of, name }) => brokers(of, `Vem de ${name}`)),
    ...brokers(others, NO_TEAM),
  ]
}

/** Mounted only while the dialog is open. */
export function ManagerDialog({ teams, team, from, onClose, onInvited }: ManagerDialogProps) {
  const [isNew, setNew] = useState(false)
  const choices = choicesOf(teams, team)
  const nameOf = (chosen: string) => choices.find(({ id }) => id === chosen)?.name ?? ''
  const { mutate, isPending } = useMutation({
    ...changeManager(team),
    onSuccess: (_, { to }) => {
      onClose()
      toast(
        to === null ? `${team.name} ficou sem gerente` : `${nameOf(to)} é gerente de ${team.name}`,
        'success',
      )
    },
    onError: ({ message }) => toast(`Erro ao trocar o gerente: ${message}`, 'error'),
  })
  const choose = (to: string | null) => {
    if (!isPending) mutate({ from: from?.id ?? null, to })
  }
  const leads = (id: string) => team.managers.some((manager) => manager.id === id)
  if (isNew)
    return (
      <Dialog isOpen onClose={onClose} title="Novo gerente">
        <NewManager
          team={team}
          from={from}
          onCancel={() => setNew(false)}
          onAdded={(invitation) => {
            onClose()
            onInvited(invitation)
          }}
        />
      </Dialog>
    )
  return (
    <Dialog isOpen onClose={onClose} title={`Gerente de ${team.name}`}>
      <ul className="flex flex-col">
        {choices
          .filter(({ id }) => id === from?.id || !leads(id))
          .map(({ id, name, hint, manager }) => (
            <li key={id} className="flex items-center">
              <Row isChosen={id === from?.id} onChoose={() => (id === from?.id ? onClose() : choose(id))}>
                <Avatar name={name} size={36} />
                <span className="min-w-0 grow">
                  <span className="block truncate font-medium">{name}</span>
                  <span className="block text-13 text-text-3">{hint}</span>
                </span>
              </Row>
              {manager && <ManagerAccess manager={manager} onInvited={onInvited} />}
            </li>
          ))}
      </ul>
      <Row onChoose={() => setNew(true)}>
        <Icon of={Plus} className="mx-2 text-text-2" />
        <span className="grow">Novo gerente, que só gerencia…</span>
      </Row>
      {from && (
        <Row onChoose={() => choose(null)}>
          <Icon of={UserRoundX} className="mx-2 text-text-2" />
          <span className="grow">{NO_MANAGER}</span>
        </Row>
      )}
    </Dialog>
  )
}

type RowProps = { isChosen?: boolean; onChoose: () => void; children: ReactNode }

function Row({ isChosen = false, onChoose, children }: RowProps) {
  return (
    <button
      type="button"
      aria-current={isChosen || undefined}
      onClick={onChoose}
      className="flex min-h-14 w-full min-w-0 grow items-center gap-3 rounded-md px-3 text-left text-16 hover:bg-surface-2 md:text-14"
    >
      {children}
      {isChosen && <Icon of={Check} size={18} className="text-primary" />}
    </button>
  )
}
