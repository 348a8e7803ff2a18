// The agency's brand: public to read, changed by administrators.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal, rpc } from '#api/client.ts'
import { PortalError } from '#domain/errors.ts'
import { keys } from '#data/keys.ts'
import type { Icons } from './brand-icons.ts'

const text = v.nullable(v.string())
const Config = v.object({ agency: v.object({ name: text, color: text, logo: text }) })
export type Brand = v.InferOutput<typeof Config>['agency']

export function brandQuery() {
  return queryOptions({
    queryKey: keys.brand(),
    queryFn: async ({ signal }): Promise<Brand> =>
      v.parse(Config, await portal('/api/config', { signal })).agency,
    staleTime: 0,
  })
}

export type BrandIntent = {
  name: string
  color: string | null
  /** Null keeps the current icons; an empty object deletes them. */
  icons: Icons | Record<string, never> | null
}

const Refusal = v.object({ hint: v.string(), message: v.string() })

/** Shows the message of the refusing database function. */
function toRefusal(error: unknown): unknown {
  if (!(error instanceof PortalError) || error.status !== 422) return error
  const refusal = v.safeParse(Refusal, error.cause)
  return refusal.success
    ? new PortalError(refusal.output.hint, refusal.output.message, { status: 422 })
    : error
}

/** Throws PortalError `brand.name`, `brand.color`, `brand.logo`. */
export function saveBrand() {
  return mutationOptions({
    mutationFn: async ({ name, color, icons }: BrandIntent, { client }) => {
      await rpc('set_brand', { p_name: name, p_color: color, p_icons: icons }).catch((error: unknown) => {
        throw toRefusal(error)
      })
      await client.invalidateQueries({ queryKey: keys.brand() })
    },
  })
}
