// Notifications of transactions: equal ones are sent once, repeated after a failure, and replaced by a gap when there
// are too many.
import { expect, test } from 'vitest'
import { createAnnouncer, readAnnouncement, type Announcement } from '#server/db/announcer.ts'
import { createLatch } from '#tests/support/latch.ts'

const board = (name: string): Announcement => ({ channel: 'portal', payload: name })

/** What it sent, batch by batch; the first one takes until `first` opens. */
function openAnnouncer() {
  const sent: string[][] = []
  const first = createLatch()
  const announcer = createAnnouncer({
    send: async (_channels, payloads) => {
      sent.push(payloads)
      if (sent.length === 1) await first.opened
    },
    onError: () => undefined,
  })
  return { announcer, sent, first }
}

test('equal notifications are sent once, and later ones are batched', async () => {
  const { announcer, sent, first } = openAnnouncer()
  announcer.announce([board('a'), board('a')])
  announcer.announce([board('b')])
  announcer.announce([board('c'), board('b')])
  first.open()
  await announcer.close()
  expect(sent).toEqual([['a'], ['b', 'c']])
})

test('too many notifications become a gap', async () => {
  const { announcer, sent, first } = openAnnouncer()
  announcer.announce([board('a')])
  announcer.announce(Array.from({ length: 10_001 }, (_, n) => board(`lead ${n}`)))
  first.open()
  await announcer.close()
  expect(sent).toEqual([['a'], ['{"kind":"gap"}']])
})

test('a failure is reported, and stopping does not wait for notifications that cannot be sent', async () => {
  const faults: string[] = []
  const announcer = createAnnouncer({
    send: () => Promise.reject(new Error('gone')),
    onError: (error) => faults.push(error.message),
  })
  announcer.announce([board('a')])
  await expect.poll(() => faults).toEqual(['gone'])
  await announcer.close()
  expect(faults).toEqual(['gone'])
})

test('only its own notifications are parsed', () => {
  expect(readAnnouncement({ message: 'portal.notify', hint: 'push', detail: '' })).toEqual({
    channel: 'push',
    payload: '',
  })
  expect(readAnnouncement({ message: 'relation exists, skipping' })).toBeNull()
})
