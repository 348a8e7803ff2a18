// The query cache: how long data stays fresh, and which errors are retried.
import { QueryClient } from '@tanstack/react-query'
import { PortalError } from '#domain/errors.ts'
import { forgetWithOwner } from '#offline/owner.ts'

const MAX_RETRIES = 2

/** Network and server failures are retried; refusals are not. */
export function isPassing(error: Error): boolean {
  const isRefusal = error instanceof PortalError && error.status !== 0 && error.status < 500
  return !isRefusal && navigator.onLine
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // An offline fetch fails at once, so that the screen can say so; it runs again once online.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) => failures < MAX_RETRIES && isPassing(error),
      staleTime: 10_000,
    },
    mutations: { networkMode: 'always' },
  },
})

forgetWithOwner(() => queryClient.clear())
