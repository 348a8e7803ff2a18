// What a screen says while its part of the portal is being built: plainly, and what it will do.
import { Hammer } from 'lucide-react'
import { EmptyState } from '#ui/empty-state.tsx'
import { usePageTitle } from '#ui/page-title.ts'

type ToComeProps = { title: string; plan: string }

export function ToCome({ title, plan }: ToComeProps) {
  usePageTitle(title)
  return (
    <>
      <h1 className="text-24 font-semibold tracking-heading">{title}</h1>
      <EmptyState icon={Hammer} title="Esta parte do portal ainda está sendo construída." hint={plan} />
    </>
  )
}
