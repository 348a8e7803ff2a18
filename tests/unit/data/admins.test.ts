// An administrator's second step as it is set up.
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { newAppQuery } from '#features/admin-account/data.ts'

const { startApp } = vi.hoisted(() => ({
  startApp: vi.fn<() => Promise<object>>(() => Promise.resolve({ id: '1', qrCode: 'data:,', secret: 'ABC' })),
}))
vi.mock('#api/factors.ts', () => ({ startApp }))

it('the code on the screen stays the one to be scanned, whatever is read again meanwhile', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } })
  const observer = new QueryObserver(client, newAppQuery())
  const stop = observer.subscribe(() => undefined)
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.secret).toBe('ABC'))
  // As the line of events does when it opens again.
  await client.invalidateQueries({ queryKey: [] })
  expect(startApp).toHaveBeenCalledTimes(1)
  await observer.refetch()
  expect(startApp).toHaveBeenCalledTimes(2)
  stop()
})
