// What every screen stands in: the session, the query cache, live events, the routes, toasts, questions. Spec 2.1; HOUSE 3.
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { queryClient } from '#data/query-client.ts'
import { useSession } from '#data/session.ts'
import { followEvents } from '#live/events.ts'
import { keepSending } from '#offline/triggers.ts'
import { Questions } from '#ui/confirm.tsx'
import { Toasts } from '#ui/toasts.tsx'
import { router } from './router.tsx'
import { Splash } from './splash.tsx'
import { Upkeep } from './upkeep.tsx'

export function Providers() {
  const session = useSession()
  // The guards look at the session again whenever it changes; that is what leads in after a login and out after 'Sair'.
  useEffect(() => {
    if (session.status !== 'unknown') void router.invalidate()
  }, [session])
  const userId = session.status === 'in' ? session.user.id : null
  useEffect(() => (userId === null ? undefined : followEvents(queryClient)), [userId])
  useEffect(() => (userId === null ? undefined : keepSending()), [userId])
  if (session.status === 'unknown') return <Splash />
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} context={{ session }} />
      <Toasts />
      <Questions />
      {session.status === 'in' && <Upkeep user={session.user} onOpen={(path) => router.history.push(path)} />}
    </QueryClientProvider>
  )
}
