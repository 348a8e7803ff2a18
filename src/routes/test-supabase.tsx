// '/test-supabase': the public page of 'Saúde do sistema'.
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useSession } from '#data/session.ts'
import { WithData } from '#data/with-data.tsx'
import { Diagnostics } from '#features/diagnostics/diagnostics.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { BACK } from '#ui/texts.ts'
import '#styles/late.css'

export function TestSupabasePage() {
  const session = useSession()
  return (
    <main className="mx-auto flex min-h-dvh max-w-140 flex-col px-5 pt-[calc(24px+var(--safe-top))] pb-10">
      {session.status === 'in' && (
        <Link
          to={session.user.role === 'broker' ? '/broker' : '/'}
          className="-ml-2 mb-3 inline-flex min-h-11 items-center gap-1.5 self-start rounded-md px-2 text-14 font-medium text-primary"
        >
          <Icon of={ArrowLeft} size={18} />
          {BACK}
        </Link>
      )}
      <WithData>
        <Diagnostics />
      </WithData>
    </main>
  )
}
