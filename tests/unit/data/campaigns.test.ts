// Which campaign data is refetched when the running campaign continues, changes or ends.
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { activeCampaignQuery } from '#features/remarketing/campaigns-data.ts'
import { keys } from '#data/keys.ts'
import { eventually } from '#tests/support/eventually.ts'

type Answer = { campaign: Record<string, unknown> | null }

const { server } = vi.hoisted((): { server: { answer: Answer } } => ({
  server: { answer: { campaign: null } },
}))
vi.mock('#api/client.ts', () => ({ portal: async () => server.answer }))

const OWNER = 'corretor_a'
const underWay = (part: { id?: number; status?: string; processed_contacts?: number } = {}): Answer => ({
  campaign: {
    id: 1,
    status: 'running',
    kanban_stage: 'new',
    message: 'Oi',
    total_contacts: 10,
    processed_contacts: 0,
    pause_reason: null,
    wait_reason: null,
    ...part,
  },
})

let client: QueryClient
let stop: () => void
const readHistory = vi.fn<() => Promise<number>>(async () => 0)

beforeEach(async () => {
  readHistory.mockClear()
  server.answer = underWay()
  client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  const history = new QueryObserver(client, {
    queryKey: [...keys.campaignResults(OWNER), 'history', 1],
    queryFn: readHistory,
  })
  const stops = [
    history.subscribe(() => undefined),
    new QueryObserver(client, activeCampaignQuery(OWNER)).subscribe(() => undefined),
  ]
  stop = () => stops.forEach((each) => each())
  await eventually(() => expect(client.getQueryData(keys.activeCampaign(OWNER))).toBeDefined())
})
afterEach(() => {
  stop()
  client.clear()
})

it.each([
  ['another message went out', underWay({ processed_contacts: 1 }), 1],
  ['it is paused', underWay({ status: 'paused' }), 2],
  ['it ended', { campaign: null }, 2],
  ['another began', underWay({ id: 2 }), 2],
] satisfies [string, Answer, number][])(
  'past campaigns refetched or not: %s',
  async (_what, answer, times) => {
    server.answer = answer
    await client.invalidateQueries({ queryKey: keys.activeCampaign(OWNER) })
    expect(readHistory).toHaveBeenCalledTimes(times)
  },
)
