// What one kind of gateway gives the portal: its client and its reader of deliveries.
import type { Gateway } from '#server/gateway.ts'
import type { DeliveryReader } from '#server/delivery.ts'
import type { HttpOptions } from './http.ts'

export type Room = {
  /** For screens and log. */
  title: string
  createGateway: (options: HttpOptions) => Gateway
  deliveries: DeliveryReader
}
