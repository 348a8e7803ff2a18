import { createServer as createTcpServer, isIP, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createPost } from '#server/push/post.ts'
import { isPublicIp, publicLookup } from '#server/http/address/public.ts'
import { manualClock } from '#tests/support/clock.ts'
import { table } from '#tests/support/table.ts'
import { serveInTest } from '#tests/support/serve.ts'

table('%s is public: %s', isPublicIp, [
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
])

type Found = { address: string; family: number }[]
/** The lookup's answer for a name with these addresses. */
function looked(found: Found, all: boolean) {
  const system = ((_: string, __: object, callback: (error: null, found: Found) => void) =>
    callback(null, found)) as unknown as Parameters<typeof publicLookup>[0]
  return new Promise((resolve) =>
    publicLookup(system)('push.example', { all }, (error, address) => resolve(error?.code ?? address)),
  )
}

test('a name with an internal address is refused, even among several addresses', async () => {
  const outside = { address: '8.8.8.8', family: 4 }
  expect(await looked([outside], false)).toBe('8.8.8.8')
  expect(await looked([outside], true)).toEqual([outside])
  expect(await looked([outside, { address: '10.0.0.1', family: 4 }], true)).toBe('EPRIVATE')
  expect(await looked([{ address: '::1', family: 6 }], false)).toBe('EPRIVATE')
  expect(await looked([], false)).toBe('EPRIVATE')
})

const request = (endpoint: string) => ({ endpoint, headers: {}, body: Buffer.from('x') })

test('nothing is sent to this machine, unless it is allowed', async () => {
  let asked = 0
  const endpoint = await serveInTest((_, response) => {
    asked++
    response.end()
  })
  await expect(createPost(manualClock(), false).post(request(endpoint))).rejects.toThrow('not a push service')
  expect(asked).toBe(0)
  expect(await createPost(manualClock(), true).post(request(endpoint))).toMatchObject({ status: 200 })
})

test.each([301, 302, 303, 307, 308])('a redirect by %i is an answer like any other', async (status) => {
  let inside = 0
  const inner = await serveInTest((_, response) => {
    inside++
    response.end()
  })
  const { post } = createPost(manualClock(), true)
  for (const location of [inner, 'http://169.254.169.254/', 'http://[::1]/', 'https://interno.example/']) {
    const service = await serveInTest((_, response) => response.writeHead(status, { location }).end())
    expect(await post(request(service))).toEqual({ status, retryAfter: null })
  }
  expect(inside).toBe(0)
})

test.each([
  'https://2130706433/',
  'https://0x7f.1/',
  'https://127.1/',
  'https://127.0.0.1./',
  'https://169.254.169.254/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://intranet/',
])('%s is refused before any lookup', async (endpoint) => {
  const looked: string[] = []
  const lookup = ((name: string) => looked.push(name)) as unknown as Parameters<typeof createPost>[2]
  await expect(createPost(manualClock(), false, lookup).post(request(endpoint))).rejects.toThrow(
    'not a push service',
  )
  expect(looked).toEqual([])
})

test('a name is looked up while connecting: one that becomes internal between two pushes is refused', async () => {
  let connected = 0
  const inner = createTcpServer((socket) => {
    connected++
    socket.destroy()
  })
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void inner.close())
  const { port } = inner.address() as AddressInfo
  // Documentation addresses count as internal here, so that this test never sends anything out.
  const addresses = ['203.0.113.7', '127.0.0.1', '::1', '10.0.0.8']
  const asked: string[] = []
  const lookup = ((name: string, _: object, callback: (error: null, found: Found) => void) => {
    asked.push(name)
    const address = addresses.shift() ?? ''
    callback(null, [{ address, family: isIP(address) }])
  }) as unknown as Parameters<typeof createPost>[2]
  const { post, close } = createPost(manualClock(), true, lookup)
  for (let times = 0; times < 4; times++)
    await expect(post(request(`https://push.example:${port}/x`))).rejects.toThrow('not a public address')
  close()
  expect([asked, connected]).toEqual([Array.from({ length: 4 }, () => 'push.example'), 0])
})

test('a kept connection that the service just closed is no failure', async () => {
  const heard: string[] = []
  const endpoint = await serveInTest(({ socket }, response) => {
    const isReused = known.has(socket)
    known.add(socket)
    heard.push(isReused ? 'kept' : 'new')
    if (isReused) socket.destroy()
    else response.end()
  })
  const known = new Set<unknown>()
  const { post } = createPost(manualClock(), true)
  for (let times = 0; times < 2; times++) expect(await post(request(endpoint))).toMatchObject({ status: 200 })
  expect(heard).toEqual(['new', 'kept', 'new'])
})

test('a hanging service is given up after ten seconds', async () => {
  const clock = manualClock()
  const { post } = createPost(clock, true)
  let hear: () => void = () => undefined
  const isHeard = new Promise<void>((resolve) => (hear = resolve))
  const answer = post(request(await serveInTest(() => hear())))
  void isHeard.then(() => clock.advance(10_000))
  await expect(answer).rejects.toThrow('aborted')
})
