// The data of a lead that left every board is deleted on the device; other leads' data stays.
import 'fake-indexeddb/auto'
import { hashKey, QueryClient, type QueryKey } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { forgetLeads } from '#data/board/forget-leads.ts'
import { keys } from '#data/keys.ts'
import { setOwner } from '#offline/owner.ts'
import { readAnswer, saveAnswer } from '#offline/query-cache.ts'

vi.mock('#api/client.ts', () => ({ rpc: () => Promise.resolve([]) }))

const slot = (key: QueryKey) => ({ owner: 'ana', name: hashKey(key), kind: 'any', version: 1, most: 50 })
const of = (id: number) => [
  keys.conversation(id),
  keys.leadSheet(id),
  keys.handover(id, 40),
  keys.handover(id, 41),
]

it('its conversation, its details and each hand-over', async () => {
  setOwner('ana')
  const client = new QueryClient()
  const all = [...of(1), ...of(12)]
  for (const key of all) {
    client.setQueryData(key, 'Marina')
    await saveAnswer(slot(key), 'Marina', 1)
  }
  await forgetLeads({ client, instanceName: 'corretor_ana' }, [1])
  const stored = await Promise.all(all.map(async (key) => (await readAnswer(slot(key))) !== null))
  const shown = all.map((key) => client.getQueryData(key) !== undefined)
  for (const left of [stored, shown])
    expect(left).toEqual([...of(1).map(() => false), ...of(12).map(() => true)])
})
