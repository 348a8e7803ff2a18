// Administrators' banners about lost links and a gateway that is down.
import { expect, it } from 'vitest'
import type { Broker } from '#domain/broker.ts'
import { gatewayDown, lostLinks } from '#features/brokers/texts.ts'
import { table } from '#tests/support/table.ts'

const broker = (name: string, lostAtMs: number | null): Broker => ({
  id: name,
  instanceName: `corretor_${name}`,
  number: '5511955550101',
  pictureUrl: null,
  state: lostAtMs === null ? 'open' : 'close',
  changedAtMs: lostAtMs,
  lostAtMs,
  isCentral: false,
  isActive: true,
  hasPassword: true,
  seenAtMs: null,
  campaignCount: 0,
  seatCount: 0,
  limit: null,
})
const AT = Date.parse('2025-11-30T12:41:00Z')

it.each([
  ['none', [broker('camila', null)], null],
  [
    'one',
    [broker('camila', AT), broker('rafael', null)],
    'O WhatsApp de Camila caiu em 30/11/2025 09:41 e precisa ser conectado de novo.',
  ],
  [
    'several',
    [broker('camila', AT), broker('juliana', AT), broker('rafael', AT)],
    '3 corretores estão sem WhatsApp: Camila, Juliana e Rafael. Precisam conectar de novo.',
  ],
  [
    'more than a banner has room for',
    ['bruno', 'camila', 'diego', 'juliana', 'rafael'].map((name) => broker(name, AT)),
    '5 corretores estão sem WhatsApp: Bruno, Camila, Diego e mais 2. Precisam conectar de novo.',
  ],
])('%s lost', (_, brokers, expected) => {
  expect(lostLinks(brokers)).toBe(expected)
})

table('for a gateway that is %s: %s', gatewayDown, [
  [
    'unreachable',
    'O serviço de WhatsApp não responde: nada chega nem sai, e as conexões mostradas são as de antes.',
  ],
  [
    'unauthorized',
    'O serviço de WhatsApp recusa o portal: nada chega nem sai, e as conexões mostradas são as de antes.',
  ],
  ['ok', null],
  ['unknown', null],
  ['none', null],
  ['refused', null],
])
