// What one kind of gateway gives the portal: its client and its reader of deliveries.
import type { Gateway } from '#server/gateway.ts'
import type { DeliveryReader } from '#server/delivery.ts'
import type { HttpOptions } from './http.ts'

export type Room = {
  /** For screens. */
  title: string
  /** What it needs, for the person who enters its address. */
  needs: string
  /** The setting with its address. */
  variable: string
  createGateway: (options: HttpOptions) => Gateway
  deliveries: DeliveryReader
}
