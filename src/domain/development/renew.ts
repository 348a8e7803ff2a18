// Finds anew, in the present record, material that the server refused because the record had changed.
import { captionsOf, type Captioned, type Choice, choicesOf, type MaterialThing } from './material.ts'
import type { Material } from './material-index.ts'

/**
 * Returns what takes a refused thing's place: a newer file of its kind, and a caption with the present price. A caption
 * that the broker wrote stays. Null if the record has nothing like it.
 */
export function renewed(material: Material, thing: MaterialThing, today: string): Captioned | null {
  const choice = choiceFor(choicesOf(material), thing)
  if (!choice) return null
  const fresh = captionsOf(material, [choice], { today, withPrice: false }).get(choice.key)
  if (thing.price && fresh) return { choice, ...fresh }
  return { choice, text: writtenText(thing), price: null }
}

function choiceFor(
  choices: readonly Choice[],
  { fileId, fileKind, label, page, content }: MaterialThing,
): Choice | undefined {
  if (page !== undefined) return choices.find(({ kind }) => kind === 'page')
  if (content.kind === 'location') return choices.find(({ kind }) => kind === 'place')
  if (content.kind === 'text' || fileKind === 'planta')
    return (
      choices.find((choice) => choice.kind === 'plan' && choice.label === label) ??
      choices.find((choice) => choice.kind === 'plan' && choice.plan.drawingId === fileId)
    )
  if (content.kind === 'image')
    return (
      choices.find((choice) => choice.kind === 'photo' && choice.photo.id === fileId) ??
      choices.find(({ kind }) => kind === 'photo')
    )
  return (
    choices.find((choice) => choice.kind === 'document' && choice.document.id === fileId) ??
    // Files are listed in order of their addition.
    choices.findLast((choice) => choice.kind === 'document' && choice.document.kind === fileKind)
  )
}

/** The address of a page is added again. */
const writtenText = ({ text, page }: MaterialThing): string =>
  page === undefined ? text : text.split('\n').slice(0, -1).join('\n')
