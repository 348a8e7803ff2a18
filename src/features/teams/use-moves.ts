// Moves a broker to another team, with a toast that can undo it.
import { useMutation } from '@tanstack/react-query'
import { displayName } from '#domain/broker.ts'
import { announce, toast } from '#ui/feedback/toast.ts'
import { moveBroker, type Team, type TeamBroker } from './data.ts'

export type MoveBroker = (broker: TeamBroker, from: string | null, to: string | null) => void

/** For example 'Marcelo foi para Serra'. */
const movedText = (broker: TeamBroker, team: Pick<Team, 'name'> | undefined) =>
  team
    ? `${displayName(broker.instanceName)} foi para ${team.name}`
    : `${displayName(broker.instanceName)} ficou sem equipe`

export function useMoves(teams: readonly Pick<Team, 'id' | 'name'>[]): MoveBroker {
  const { mutate } = useMutation({
    ...moveBroker(),
    onError: ({ message }) => toast(`Erro ao mudar de equipe: ${message}`, 'error'),
  })
  return (broker, from, to) => {
    if (from === to) return
    mutate({ broker, teamId: to })
    const text = movedText(
      broker,
      teams.find(({ id }) => id === to),
    )
    announce(text)
    toast(text, 'info', { action: { label: 'Desfazer', run: () => mutate({ broker, teamId: from }) } })
  }
}
