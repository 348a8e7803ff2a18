// A link from a lead to the person's stored data (LGPD art. 18).
import { Link } from '@tanstack/react-router'

export function PersonLink({ leadId }: { leadId: number }) {
  return (
    <Link
      to="/dados"
      search={{ lead: leadId }}
      className="relative -mx-1.5 inline-flex min-h-8 after:absolute after:inset-x-0 after:-inset-y-1.5 items-center rounded-md px-1.5 text-13 font-medium text-on-primary-soft underline-offset-2 hover:underline"
    >
      Dados de uma pessoa
    </Link>
  )
}
