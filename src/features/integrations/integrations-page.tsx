// Integrações: webhook addresses, the events sent to one of them, and API keys.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { usePageTitle } from '#ui/primitives/page-title.ts'
import { ConversionsCard } from './conversions/card.tsx'
import { type Hook, hooksQuery } from './data.ts'
import { Deliveries } from './deliveries.tsx'
import { HookList } from './hook-list.tsx'
import { TokenList } from './token-list.tsx'

const TITLE = 'Integrações'

const NO_HOOKS: readonly Hook[] = []

export function IntegrationsPage() {
  usePageTitle(TITLE)
  const read = useQuery(hooksQuery())
  const [openId, setOpenId] = useState<string | null>(null)
  const hooks = read.data ?? NO_HOOKS
  const open = hooks.find(({ id }) => id === openId) ?? hooks[0]
  return (
    <div className="flex flex-col gap-4">
      <header className="pb-1">
        <h1 className="text-24 font-semibold tracking-heading">{TITLE}</h1>
        <p className="text-14 text-text-2">
          Avise outros sistemas quando algo muda aqui, e deixe que leiam e escrevam com uma chave.
        </p>
      </header>
      {read.data ? (
        <HookList hooks={hooks} openId={open?.id ?? null} onOpen={setOpenId} />
      ) : read.error ? (
        <FailedRead of={read} />
      ) : (
        <Skeleton className="h-48 rounded-lg!" />
      )}
      {open && <Deliveries key={open.id} hook={open} />}
      <ConversionsCard />
      <TokenList />
    </div>
  )
}
