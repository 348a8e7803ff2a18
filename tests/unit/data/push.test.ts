// How a person is told, chosen on a slow signal: what is chosen next undoes nothing of what was chosen a moment ago.
import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { pushQuery, savePushSettings } from '#data/push.ts'
import { eventually } from '#tests/support/eventually.ts'

const KEPT = { hidesNames: false, quiet: null }
const NIGHT = { from: '22:30', until: '06:45' }

test('each choice is sent alone and in its order, and shown whatever an older read answers', async () => {
  const sent: unknown[] = []
  const answers: (() => void)[] = []
  vi.stubGlobal('fetch', (_address: string, init: RequestInit = {}) => {
    if (init.method !== 'POST') return Promise.resolve(Response.json({ devices: [], settings: KEPT }))
    if (typeof init.body === 'string') sent.push(JSON.parse(init.body))
    return new Promise((resolve) => answers.push(() => resolve(Response.json({}))))
  })
  const client = new QueryClient()
  await client.fetchQuery(pushQuery())
  const save = new MutationObserver(client, savePushSettings())
  const shown = () => client.getQueryData(pushQuery().queryKey)?.settings

  const all = [save.mutate({ hidesNames: true }), save.mutate({ quiet: NIGHT })]
  await eventually(() => expect(answers).toHaveLength(1))
  expect(shown()).toEqual({ hidesNames: true, quiet: NIGHT })
  answers[0]?.()
  await eventually(() => expect(answers).toHaveLength(2))
  // Of the first one's answer nothing is read that would show the second undone.
  expect(shown()).toEqual({ hidesNames: true, quiet: NIGHT })
  answers[1]?.()
  await Promise.all(all)
  expect(sent).toEqual([{ hidesNames: true }, { quiet: NIGHT }])
})
