// What one kind of gateway gives the portal: its client and its reader of deliveries.
import type { Gateway } from '#server/gateway.ts'
import type { DeliveryReader } from '#server/delivery.ts'
import type { HttpOptions } from './http.ts'

export type Room = {
  /** The name that screens show. */
  title: string
  /** Which server it needs, in words for the person who enters its address. */
  needs: string
  /** The environment variable with its address. */
  variable: string
  createGateway: (options: HttpOptions) => Gateway
  deliveries: DeliveryReader
}
