// Chooses the gateway instance of an agent's central number.
import { useQuery } from '@tanstack/react-query'
import { agentInstancesQuery, type CentralInstance } from '#data/agents.ts'
import { displayName, INSTANCE_PREFIX } from '#domain/broker.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { SelectField } from '#ui/forms/select-field.tsx'

type InstanceFieldProps = {
  /** The agent's name, whose current instance may be chosen; null for a new agent. */
  agent: string | null
  value: string | null
  isDisabled: boolean
  onChange: (instanceName: string | null) => void
}

export function InstanceField({ agent, value, isDisabled, onChange }: InstanceFieldProps) {
  const read = useQuery(agentInstancesQuery())
  const listed = read.data ?? []
  // The gateway no longer has this instance; it stays selected until the user chooses another.
  const isMissing = value !== null && !listed.some(({ instanceName }) => instanceName === value)
  return (
    <div className="flex flex-col gap-1.5">
      <SelectField
        label="WhatsApp central"
        value={value ?? ''}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
      >
        <option value="">Escolher depois</option>
        {isMissing && <option value={value}>{value}</option>}
        {listed.map((instance) => (
          <option
            key={instance.instanceName}
            value={instance.instanceName}
            disabled={instance.agent !== null && instance.agent !== agent}
          >
            {described(instance, agent)}
          </option>
        ))}
      </SelectField>
      <FailedRead
        of={read}
        title="Não foi possível carregar as conexões. Escolha depois, nas informações do agente."
        isRow
      />
    </div>
  )
}

/** 'central_mirante · (11) 90100-0201 · conectado'; a broker's own instance shows the broker's name. */
function described(instance: CentralInstance, agent: string | null): string {
  const { instanceName, number, isLinked, agent: owner } = instance
  const name = instanceName.startsWith(INSTANCE_PREFIX) ? displayName(instanceName) : instanceName
  return [
    name,
    ...(number === null ? [] : [formatPhone(number)]),
    owner === null || owner === agent ? (isLinked ? 'conectado' : 'desconectado') : `do agente ${owner}`,
  ].join(' · ')
}
