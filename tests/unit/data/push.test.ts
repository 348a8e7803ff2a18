// Push settings on a slow connection: a choice does not undo the one before.
import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { pushQuery, savePushSettings } from '#data/push.ts'
import { eventually } from '#tests/support/eventually.ts'

const KEPT = { hidesNames: false, quiet: null }
const NIGHT = { from: '22:30', until: '06:45' }

test('each choice is sent alone and in order, and shown despite an older fetch', async () => {
  const sent: unknown[] = []
  const answers: (() => void)[] = []
  const reads: (() => void)[] = []
  vi.stubGlobal('fetch', (_address: string, init: RequestInit = {}) => {
    if (init.method !== 'POST')
      return new Promise((resolve) =>
        reads.push(() => resolve(Response.json({ devices: [], settings: KEPT }))),
      )
    if (typeof init.body === 'string') sent.push(JSON.parse(init.body))
    return new Promise((resolve) => answers.push(() => resolve(Response.json({}))))
  })
  const client = new QueryClient()
  const first = client.fetchQuery(pushQuery())
  await eventually(() => expect(reads).toHaveLength(1))
  reads[0]?.()
  await first
  // This read starts before the choice, and is answered after it.
  const older = client.fetchQuery(pushQuery()).catch(() => undefined)
  await eventually(() => expect(reads).toHaveLength(2))
  const save = new MutationObserver(client, savePushSettings())
  const shown = () => client.getQueryData(pushQuery().queryKey)?.settings

  const all = [save.mutate({ hidesNames: true }), save.mutate({ quiet: NIGHT })]
  await eventually(() => expect(answers).toHaveLength(1))
  reads[1]?.()
  await older
  expect(shown()).toEqual({ hidesNames: true, quiet: NIGHT })
  answers[0]?.()
  await eventually(() => expect(answers).toHaveLength(2))
  // The first response triggers no fetch that would show the second choice undone.
  expect(shown()).toEqual({ hidesNames: true, quiet: NIGHT })
  answers[1]?.()
  await Promise.all(all)
  expect(sent).toEqual([{ hidesNames: true }, { quiet: NIGHT }])
})
