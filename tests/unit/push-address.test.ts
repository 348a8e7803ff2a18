import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createPost } from '#server/push/post.ts'
import { isPublicIp, publicLookup } from '#server/push/public-address.ts'
import { manualClock } from '#tests/support/clock.ts'

test.each([
  ['8.8.8.8', true],
  ['142.250.79.10', true],
  ['2800:3f0:4001::2a', true],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['127.9.9.9', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.168.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['0.0.0.0', false],
  ['::1', false],
  ['::', false],
  ['fd12::1', false],
  ['fe80::1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::a00:1', false],
  ['2002:a00:1::', false],
  ['nome', false],
])('%s is public: %s', (address, isPublic) => {
  expect(isPublicIp(address)).toBe(isPublic)
})

type Found = { address: string; family: number }[]
/** What the lookup answers where the name has these addresses. */
function looked(found: Found, all: boolean) {
  const system = ((_: string, __: object, callback: (error: null, found: Found) => void) =>
    callback(null, found)) as unknown as Parameters<typeof publicLookup>[0]
  return new Promise((resolve) =>
    publicLookup(system)('push.example', { all }, (error, address) => resolve(error?.code ?? address)),
  )
}

test('a name that leads inside is refused, also by one of several addresses', async () => {
  const outside = { address: '8.8.8.8', family: 4 }
  expect(await looked([outside], false)).toBe('8.8.8.8')
  expect(await looked([outside], true)).toEqual([outside])
  expect(await looked([outside, { address: '10.0.0.1', family: 4 }], true)).toBe('EPRIVATE')
  expect(await looked([{ address: '::1', family: 6 }], false)).toBe('EPRIVATE')
  expect(await looked([], false)).toBe('EPRIVATE')
})

const closings: (() => void)[] = []
afterEach(() => closings.splice(0).forEach((close) => close()))

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closings.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const request = (endpoint: string) => ({ endpoint, headers: {}, body: Buffer.from('x') })

test('nothing is sent to this machine, unless it is allowed', async () => {
  let asked = 0
  const endpoint = await serve((_, response) => {
    asked++
    response.end()
  })
  await expect(createPost(manualClock(), false).post(request(endpoint))).rejects.toThrow('not a push service')
  expect(asked).toBe(0)
  expect(await createPost(manualClock(), true).post(request(endpoint))).toMatchObject({ status: 200 })
})

test('a redirect is not followed, and a service that hangs is left after ten seconds', async () => {
  const clock = manualClock()
  const { post } = createPost(clock, true)
  const elsewhere = await serve((_, response) =>
    response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
  )
  expect(await post(request(elsewhere))).toEqual({ status: 307, retryAfter: null })

  let hear: () => void = () => undefined
  const isHeard = new Promise<void>((resolve) => (hear = resolve))
  const answer = post(request(await serve(() => hear())))
  void isHeard.then(() => clock.advance(10_000))
  await expect(answer).rejects.toThrow('aborted')
})
