// Every kind of gateway. Outside this folder only settings and screens name one.
import type { DeliveriesOf } from '#server/delivery.ts'
import { createEvolutionGateway } from './evolution/client.ts'
import { EVOLUTION_DELIVERIES } from './evolution/deliveries.ts'
import type { Room } from './room.ts'

/** The names are stored with instances and deliveries. */
export const ROOMS = {
  evolution: {
    title: 'Evolution API',
    createGateway: createEvolutionGateway,
    deliveries: EVOLUTION_DELIVERIES,
  },
} satisfies Record<string, Room>

export type RoomName = keyof typeof ROOMS

export const isRoom = (kind: unknown): kind is RoomName =>
  typeof kind === 'string' && Object.hasOwn(ROOMS, kind)

/** What came without a kind is of the only one that there was before. */
export const deliveriesOf: DeliveriesOf = (kind = 'evolution') =>
  isRoom(kind) ? ROOMS[kind].deliveries : null
