// Who gets the leads of a list: the inbox, one broker, or a rotation that distributes them.
import { useQuery } from '@tanstack/react-query'
import { brokersQuery } from '#data/brokers.ts'
import { displayName } from '#domain/broker.ts'
import { SelectField } from '#ui/forms/select-field.tsx'
import type { Destination } from './data.ts'
import { INBOX } from './texts.ts'

type DestinationFieldProps = {
  rotations: readonly { id: number; name: string }[]
  value: Destination
  isDisabled: boolean
  onChange: (value: Destination) => void
}

/** Returns the option's value: the destination's kind and id. */
const valueOf = (chosen: Destination) =>
  chosen.destination === 'broker'
    ? `broker ${chosen.instanceName}`
    : chosen.destination === 'rotation'
      ? `rotation ${chosen.roletaId}`
      : 'inbox'

export function DestinationField({ rotations, value, isDisabled, onChange }: DestinationFieldProps) {
  const { data: brokers = [] } = useQuery(brokersQuery())
  const choose = (chosen: string) => {
    const [kind, ...rest] = chosen.split(' ')
    const name = rest.join(' ')
    if (kind === 'broker') onChange({ destination: 'broker', instanceName: name })
    else if (kind === 'rotation') onChange({ destination: 'rotation', roletaId: Number(name) })
    else onChange({ destination: 'inbox' })
  }
  return (
    <SelectField
      label="Para onde vão os leads"
      value={valueOf(value)}
      disabled={isDisabled}
      onChange={({ target }) => choose(target.value)}
    >
      <option value="inbox">{INBOX}</option>
      <optgroup label="Para um corretor">
        {brokers
          .filter(({ isCentral }) => !isCentral)
          .map(({ instanceName }) => (
            <option key={instanceName} value={`broker ${instanceName}`}>
              {displayName(instanceName)}
            </option>
          ))}
      </optgroup>
      {rotations.length > 0 && (
        <optgroup label="Dividir pela roleta, sem oferta">
          {rotations.map((rotation) => (
            <option key={rotation.id} value={`rotation ${rotation.id}`}>
              {rotation.name}
            </option>
          ))}
        </optgroup>
      )}
    </SelectField>
  )
}
