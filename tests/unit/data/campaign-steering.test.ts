// A campaign command whose response is lost: repeated with the same operation id.
import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { settleRecipient, steerCampaign } from '#features/remarketing/progress/steering-data.ts'
import { PortalError } from '#domain/errors.ts'

const { portal } = vi.hoisted(() => ({
  portal: vi.fn<(path: string, call: { body: unknown }) => Promise<unknown>>(),
}))
vi.mock('#api/client.ts', () => ({ portal }))

const CAMPAIGN = { id: 7, instanceName: 'corretor_a' }
const lost = () => new PortalError('network.offline', 'Sem conexão.', { status: 0 })
const refused = () => new PortalError('campaign.ended', 'Esta campanha já terminou.', { status: 409 })

const client = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } })
const line = { onLine: true }
const readAgain = vi.spyOn(client, 'invalidateQueries')

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', line)
  line.onLine = true
  readAgain.mockClear()
  portal.mockReset().mockResolvedValue({})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The result of a command, its error or null, and the operation ids sent. */
async function intent(fulfil: () => Promise<unknown>) {
  const ending = fulfil().then(
    () => null,
    (error: unknown) => error,
  )
  await vi.runAllTimersAsync()
  return { error: await ending, asked: portal.mock.calls.map(([path, { body }]) => ({ path, body })) }
}

const pause = () =>
  new MutationObserver(client, steerCampaign(CAMPAIGN)).mutate({ intent: 'pause', operationId: 'one' })
const paused = { path: '/api/campaigns/7/pause', body: { operationId: 'one' } }

it('is repeated once with the same operation id, and is no failure', async () => {
  portal.mockRejectedValueOnce(lost())
  expect(await intent(pause)).toEqual({ error: null, asked: [paused, paused] })
  // Also after the lost response, so that its effect is shown meanwhile.
  expect(readAgain).toHaveBeenCalledTimes(4)
})

it('works the same for a recipient with an unknown result', async () => {
  portal.mockRejectedValueOnce(lost())
  const asked = { path: '/api/campaigns/7/recipients/3/again', body: { operationId: 'two' } }
  const settle = () =>
    new MutationObserver(client, settleRecipient(CAMPAIGN)).mutate({
      recipientId: 3,
      settlement: 'again',
      operationId: 'two',
    })
  expect(await intent(settle)).toEqual({ error: null, asked: [asked, asked] })
})

it.each([
  ['lost again, it is told', [lost(), lost()], true, 2],
  ['refused, it is told at once', [refused()], true, 1],
  ['without a signal nothing is asked again', [lost()], false, 1],
] satisfies [string, Error[], boolean, number][])(
  'ends in its error: %s',
  async (_what, answers, onLine, times) => {
    line.onLine = onLine
    for (const answer of answers) portal.mockRejectedValueOnce(answer)
    const { error, asked } = await intent(pause)
    expect(error).toBe(answers.at(-1))
    expect(asked).toHaveLength(times)
  },
)
