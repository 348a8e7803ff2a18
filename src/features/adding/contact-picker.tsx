// Takes a name and numbers from the phone's address book. Only some browsers offer their contacts to pages.
import { ContactRound } from 'lucide-react'
import { Button } from '#ui/primitives/button.tsx'
import { masked } from './phone-mask.ts'

type Picked = { name?: readonly string[]; tel?: readonly string[] }

/** The Contact Picker API, which the TypeScript types lack. */
type Contacts = { select: (properties: readonly ('name' | 'tel')[]) => Promise<readonly Picked[]> }

type ContactPickerProps = { onPick: (contact: { name: string; number: string }) => void }

export function ContactPicker({ onPick }: ContactPickerProps) {
  const { contacts } = navigator as { contacts?: Contacts }
  if (!contacts) return null
  const pick = async () => {
    // The fields keep their values if the user closes the picker or refuses access.
    const [picked] = await contacts.select(['name', 'tel']).catch(() => [])
    if (picked) onPick({ name: picked.name?.[0] ?? '', number: numbersOf(picked.tel ?? []) })
  }
  return (
    <span className="self-start">
      <Button variant="quiet" size="small" icon={ContactRound} onClick={() => void pick()}>
        Escolher dos contatos
      </Button>
    </span>
  )
}

/** Joins all numbers of a contact. The portal writes to the first; the search finds the others. */
export const numbersOf = (numbers: readonly string[]): string =>
  numbers.length === 1 ? masked(numbers[0] ?? '') : numbers.join(', ')
