// Reads and saves the agency's brand. Everybody may read it; only administrators may change it.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal, rpc } from '#api/client.ts'
import { keys } from '#data/keys.ts'
import { toRefusal } from '#data/refusal.ts'
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
