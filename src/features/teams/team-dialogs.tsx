// The menus and dialogs of 'Equipes'. One is open at a time.
import { useMutation } from '@tanstack/react-query'
import { Pencil, Plus, Trash2, UserRoundPlus, UserRoundX, UsersRound } from 'lucide-react'
import type { PanelInvitation } from '#data/panel-invitation.ts'
import { displayName } from '#domain/broker.ts'
import { countOf } from '#domain/count.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { type Action, ActionMenu, type Spot } from '#ui/primitives/overlay/action-menu.tsx'
import {
  addTeam,
  type Manager,
  removeTeam,
  renameTeam,
  type Team,
  type TeamBroker,
  type Teams,
} from './data.ts'
import { ManagerDialog } from './manager-dialog.tsx'
import { NameDialog } from './name-dialog.tsx'
import { NEW_TEAM, NO_TEAM } from './texts.ts'
import { useMoves } from './use-moves.ts'

export type Opened =
  /** After the new team is added, `broker` moves into it; null moves nobody. */
  | { what: 'new'; broker: { broker: TeamBroker; teamId: string | null } | null }
  | { what: 'rename'; team: Team }
  | { what: 'manager'; team: Team; from: Manager | null }
  | { what: 'team'; team: Team; spot: Spot }
  | { what: 'move'; broker: TeamBroker; teamId: string | null; spot: Spot }

type TeamDialogsProps = {
  teams: Teams
  opened: Opened | null
  onOpen: (opened: Opened | null) => void
  onInvited: (invitation: PanelInvitation) => void
}

export function TeamDialogs({ teams, opened, onOpen, onInvited }: TeamDialogsProps) {
  const close = () => onOpen(null)
  const move = useMoves(teams.teams)
  if (opened === null) return null
  if (opened.what === 'move') return <MoveMenu {...{ teams, onOpen }} opened={opened} />
  if (opened.what === 'team') return <TeamMenu {...{ onOpen }} {...opened} />
  if (opened.what === 'rename')
    return (
      <NameDialog
        title={`Renomear ${opened.team.name}`}
        action="Renomear"
        name={opened.team.name}
        options={renameTeam(opened.team.id)}
        onClose={close}
        onDone={close}
      />
    )
  if (opened.what === 'new')
    return (
      <NameDialog
        title={NEW_TEAM}
        action="Criar equipe"
        name=""
        options={addTeam()}
        onClose={close}
        onDone={({ id }) => {
          close()
          if (opened.broker) move(opened.broker.broker, opened.broker.teamId, id)
        }}
      />
    )
  const { from } = opened
  // Looks for the team again, because another user may have deleted it since the dialog was opened.
  const team = teams.teams.find(({ id }) => id === opened.team.id)
  return team ? <ManagerDialog {...{ teams, team, from, onInvited }} onClose={close} /> : null
}

type MoveMenuProps = Pick<TeamDialogsProps, 'teams' | 'onOpen'> & { opened: Opened & { what: 'move' } }

function MoveMenu({ teams, opened: { broker, teamId, spot }, onOpen }: MoveMenuProps) {
  const move = useMoves(teams.teams)
  const title = `Mover ${displayName(broker.instanceName)} para`
  const actions: Action[] = [
    ...teams.teams
      .filter(({ id }) => id !== teamId)
      .map(({ id, name }) => ({ label: name, icon: UsersRound, run: () => move(broker, teamId, id) })),
    ...(teamId === null ? [] : [{ label: NO_TEAM, icon: UserRoundX, run: () => move(broker, teamId, null) }]),
    {
      label: `${NEW_TEAM}…`,
      icon: Plus,
      isApart: true,
      run: () => onOpen({ what: 'new', broker: { broker, teamId } }),
    },
  ]
  return (
    <ActionMenu
      isOpen
      onClose={() => onOpen(null)}
      title={title}
      spot={spot}
      actions={actions}
      head={<p className="px-3 py-1.5 text-13 font-medium text-text-2 max-md:hidden">{title}</p>}
    />
  )
}

type TeamMenuProps = { team: Team; spot: Spot } & Pick<TeamDialogsProps, 'onOpen'>

function TeamMenu({ team, spot, onOpen }: TeamMenuProps) {
  const { mutate } = useMutation({
    ...removeTeam(),
    onSuccess: () => toast(`Equipe ${team.name} excluída`, 'success'),
    onError: ({ message }) => toast(`Erro ao excluir a equipe: ${message}`, 'error'),
  })
  const brokers = countOf(team.brokers.length, 'corretor vai', 'corretores vão')
  const remove = () =>
    ask({
      question: `Excluir a equipe ${team.name}?`,
      consequence:
        team.brokers.length === 0
          ? 'Nenhum corretor está nela.'
          : `${brokers} para Sem equipe, com os próprios leads. Quem gerencia deixa de ver esta equipe.`,
      action: { label: 'Excluir equipe', run: () => mutate(team), tone: 'danger' },
    })
  return (
    <ActionMenu
      isOpen
      onClose={() => onOpen(null)}
      title={`Equipe ${team.name}`}
      spot={spot}
      actions={[
        { label: 'Renomear', icon: Pencil, run: () => onOpen({ what: 'rename', team }) },
        {
          label: 'Mais um gerente…',
          icon: UserRoundPlus,
          run: () => onOpen({ what: 'manager', team, from: null }),
        },
        { label: 'Excluir equipe', icon: Trash2, isDanger: true, isApart: true, run: remove },
      ]}
    />
  )
}
