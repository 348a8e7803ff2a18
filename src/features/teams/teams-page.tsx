// Equipes: shows who leads whom. Brokers are moved between teams by drag, keys or menu.
import { DndContext, DragOverlay, pointerWithin } from '@dnd-kit/core'
import { useQuery } from '@tanstack/react-query'
import { Plus, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import type { PanelInvitation } from '#data/panel-invitation.ts'
import { INVITE_TITLE, inviteWords } from '#domain/invite.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { LinkDialog } from '#ui/feedback/link-dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { State } from '#ui/feedback/state.tsx'
import { useDragSensors } from '#ui/motion/drag-sensors.ts'
import { SILENT_DRAG } from '#ui/motion/silent-drag.ts'
import { Button } from '#ui/primitives/button.tsx'
import { PORTAL, usePageTitle } from '#ui/primitives/page-title.ts'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { BrokerRow, CarriedRow } from './broker-row.tsx'
import { type TeamBroker, type Teams, teamsQuery } from './data.ts'
import { type Opened, TeamDialogs } from './team-dialogs.tsx'
import { OthersCard, NONE, TeamCard } from './team-card.tsx'
import { NEW_TEAM, TEAMS } from './texts.ts'
import { useCarrying } from './use-carrying.ts'
import { useMoves } from './use-moves.ts'
import { WhatSees } from './what-sees.tsx'

export function TeamsPage() {
  usePageTitle(TEAMS)
  const read = useQuery(teamsQuery())
  const isOnline = useIsOnline()
  const [opened, setOpened] = useState<Opened | null>(null)
  const teams = read.data
  const add = (
    <Button
      icon={Plus}
      disabled={!isOnline}
      title={isOnline ? undefined : ONLINE_ONLY}
      onClick={() => setOpened({ what: 'new', broker: null })}
    >
      {NEW_TEAM}
    </Button>
  )
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 grow">
          <h1 className="text-24 font-semibold tracking-heading">{TEAMS}</h1>
          {teams && teams.teams.length > 0 && (
            <p className="mt-0.5 text-14 text-text-3">
              Arraste um corretor ou use ⋮ › Mover para equipe. Os leads vão com ele.
            </p>
          )}
        </div>
        {teams && teams.teams.length > 0 && add}
      </div>
      {teams ? (
        teams.teams.length > 0 ? (
          <Boards teams={teams} isOff={!isOnline} onOpen={setOpened} />
        ) : (
          <div className="rounded-lg bg-surface shadow-card">
            <State
              kind="empty"
              icon={UsersRound}
              title="Nenhuma equipe"
              hint="Com equipes, cada gerente vê só os corretores dele."
            >
              {add}
            </State>
          </div>
        )
      ) : read.error ? (
        <FailedRead of={read} />
      ) : (
        <Skeleton className="h-60 rounded-lg!" />
      )}
      <WhatSees />
      {teams && <Dialogs teams={teams} opened={opened} onOpen={setOpened} />}
    </div>
  )
}

type BoardsProps = { teams: Teams; isOff: boolean; onOpen: (opened: Opened) => void }

function Boards({ teams, isOff, onOpen }: BoardsProps) {
  const sensors = useDragSensors()
  const move = useMoves(teams.teams)
  const carrying = useCarrying(teams, move)
  const rows = (brokers: readonly TeamBroker[], teamId: string | null) =>
    brokers.map((broker) => (
      <BrokerRow
        key={broker.id}
        broker={broker}
        isOff={isOff}
        isCarried={carrying.carriedByKeys?.id === broker.id}
        onKey={(event) => carrying.onKey(broker, event)}
        onLeave={carrying.leave}
        onMenu={(spot) => onOpen({ what: 'move', broker, teamId, spot })}
      />
    ))
  const carried = carrying.carriedByPointer
  return (
    <DndContext
      accessibility={SILENT_DRAG}
      sensors={sensors}
      collisionDetection={pointerWithin}
      {...carrying.drag}
    >
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,18.5rem),1fr))] items-start gap-3.5">
        {teams.teams.map((team) => (
          <TeamCard
            key={team.id}
            team={team}
            landing={carrying.landingIn(team.id)}
            isOff={isOff}
            onMenu={(spot) => onOpen({ what: 'team', team, spot })}
            onChange={(from) => onOpen({ what: 'manager', team, from })}
          >
            {rows(
              team.brokers.filter(({ id }) => !team.managers.some((manager) => manager.id === id)),
              team.id,
            )}
          </TeamCard>
        ))}
        <OthersCard brokers={teams.others} landing={carrying.landingIn(NONE)}>
          {rows(teams.others, null)}
        </OthersCard>
      </div>
      <DragOverlay dropAnimation={null}>{carried && <CarriedRow broker={carried} />}</DragOverlay>
    </DndContext>
  )
}

type DialogsProps = { teams: Teams; opened: Opened | null; onOpen: (opened: Opened | null) => void }

function Dialogs({ teams, opened, onOpen }: DialogsProps) {
  // Each invitation link is shown only once, so a second one waits until the first one is closed.
  const [[invitation], setInvitations] = useState<readonly PanelInvitation[]>([])
  const show = (made: PanelInvitation) => setInvitations((waiting) => [...waiting, made])
  return (
    <>
      <TeamDialogs teams={teams} opened={opened} onOpen={onOpen} onInvited={show} />
      <LinkDialog
        title={INVITE_TITLE}
        shown={invitation ? inviteWords(invitation.username, PORTAL, invitation.link) : null}
        onClose={() => setInvitations((waiting) => waiting.slice(1))}
      />
    </>
  )
}
