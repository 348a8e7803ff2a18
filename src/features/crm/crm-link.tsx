// A link from a list of leads to their board in the CRM; from one lead to its conversation.
import { Link } from '@tanstack/react-router'
import { NO_BROKER } from '#domain/broker.ts'
import { writeSelection } from '#domain/broker-selection.ts'

type CrmLinkProps = {
  /** The lead to open; if undefined, the link opens the board. */
  leadId?: number
  /** The leads' broker; null if they have none. */
  owner: string | null
}

export function CrmLink({ leadId, owner }: CrmLinkProps) {
  return (
    <Link
      to="/crm"
      search={{ corretores: writeSelection([owner ?? NO_BROKER]), lead: leadId }}
      className="-mx-1.5 inline-flex min-h-11 items-center rounded-md px-1.5 text-14 font-semibold text-primary underline-offset-2 hover:underline"
    >
      {leadId === undefined ? 'Ver todos os sem corretor no CRM' : 'Abrir no CRM'}
    </Link>
  )
}
