// '/equipes': teams, their brokers and gerentes.
import { TeamsPage } from '#features/teams/teams-page.tsx'

export function AdminTeamsPage() {
  return <TeamsPage />
}
