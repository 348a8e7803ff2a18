// The query cache: how long data counts as fresh, and which errors are retried.
import { QueryClient } from '@tanstack/react-query'
import { PortalError } from '#domain/errors.ts'
import { forgetWithOwner } from '#offline/owner.ts'

const MAX_RETRIES = 2

/** True for network and server failures, which are retried. Refusals are not. */
export function isPassing(error: Error): boolean {
  const isRefusal = error instanceof PortalError && error.status !== 0 && error.status < 500
  return !isRefusal && navigator.onLine
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Offline a fetch must fail at once, so that the screen can tell; it is repeated once online.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) => failures < MAX_RETRIES && isPassing(error),
      staleTime: 10_000,
    },
    mutations: { networkMode: 'always' },
  },
})

forgetWithOwner(() => queryClient.clear())
