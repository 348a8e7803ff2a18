// Shows the lead's broker below its number, with the name that the side list uses.
import { NO_BROKER } from '#domain/broker.ts'
import { brokerName } from './texts.ts'

export function OwnerLine({ instanceName }: { instanceName: string }) {
  const name = brokerName(instanceName)
  return (
    <p data-glyph="person" className="relative truncate pl-4.75 text-13 text-text-3">
      {instanceName === NO_BROKER ? name : `Lead de ${name}`}
    </p>
  )
}
