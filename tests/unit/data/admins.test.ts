// The setup of an administrator's second factor.
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { newAppQuery } from '#features/admin-account/data.ts'

const { startApp } = vi.hoisted(() => ({
  startApp: vi.fn<() => Promise<object>>(() => Promise.resolve({ id: '1', qrCode: 'data:,', secret: 'ABC' })),
}))
vi.mock('#api/factors.ts', () => ({ startApp }))

it('the QR code on screen stays the same when queries are refetched', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } })
  const observer = new QueryObserver(client, newAppQuery())
  const stop = observer.subscribe(() => undefined)
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.secret).toBe('ABC'))
  // The event stream does this when it reopens.
  await client.invalidateQueries({ queryKey: [] })
  expect(startApp).toHaveBeenCalledTimes(1)
  await observer.refetch()
  expect(startApp).toHaveBeenCalledTimes(2)
  stop()
})
