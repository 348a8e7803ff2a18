// The query cache: how long data rests, and what is tried again.
import { QueryClient } from '@tanstack/react-query'
import { PortalError } from '#domain/errors.ts'
import { forgetWithOwner } from '#offline/owner.ts'

const MAX_RETRIES = 2

/** A network or a server that failed may be asked again; a refusal stays one. */
export function isPassing(error: Error): boolean {
  const isRefusal = error instanceof PortalError && error.status !== 0 && error.status < 500
  return !isRefusal && navigator.onLine
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A read without a network fails at once, so that the screen can say so; it runs again when the signal is back.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) => failures < MAX_RETRIES && isPassing(error),
      staleTime: 10_000,
    },
    mutations: { networkMode: 'always' },
  },
})

forgetWithOwner(() => queryClient.clear())
