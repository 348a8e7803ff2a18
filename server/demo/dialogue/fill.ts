// Expands a template: '[a;b]' picks one part, '{slot}' inserts a value of the scene, '|' starts a new bubble.
import type { Random } from '../random.ts'

export type Slots = Readonly<Record<string, string>>

/** The bubbles of a template; each slot is taken from the first layer that has it. */
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
