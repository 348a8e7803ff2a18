// Turns a template into talk: '[a;b]' is one of the parts, '{slot}' what the scene says there, '|' a new bubble.
import type { Random } from '../random.ts'

export type Slots = Readonly<Record<string, string>>

/** The bubbles of one template; a slot is looked for in one layer after the other, and has to be in one. */
export function fill(template: string, layers: readonly Slots[], random: Random): string[] {
  const chosen = template.replaceAll(/\[([^\]]*)\]/g, (_, parts: string) => random.pick(parts.split(';')))
  const filled = chosen.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    for (const { [name]: value } of layers) if (value !== undefined) return value
    throw new Error(`no slot {${name}} for "${template}"`)
  })
  return filled
    .split('|')
    .map((bubble) => bubble.replaceAll(/\s+/g, ' ').trim())
    .filter((bubble) => bubble !== '')
}
