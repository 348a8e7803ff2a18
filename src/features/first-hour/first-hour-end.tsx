// The end of the guide: tells how fast the first lead was answered, and offers to remove the test lead.
import { PartyPopper } from 'lucide-react'
import { displayName } from '#domain/broker.ts'
import { answeredWords } from '#domain/first-hour.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { RemoveTestLead } from './test-lead.tsx'

export type HourEnd = {
  seconds: number
  /** The broker who has the test lead; undefined if there is no test lead. */
  test: { instanceName: string | null } | undefined
}

export function FirstHourEnd({ end: { seconds, test }, onClose }: { end: HourEnd; onClose: () => void }) {
  return (
    <section
      aria-label="Primeiro lead respondido"
      className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg bg-success-soft px-4 py-4 text-on-success-soft lg:px-5"
    >
      <Icon of={PartyPopper} size={24} />
      <div className="min-w-0 grow basis-60">
        <p className="text-17 font-semibold">{answeredWords(seconds)}</p>
        <p className="text-14">
          {test
            ? `O lead de teste ainda está ${test.instanceName === null ? 'sem corretor' : `com ${displayName(test.instanceName)}`}; ele não conta nos números.`
            : 'O portal está pronto.'}
        </p>
      </div>
      {test ? (
        <RemoveTestLead />
      ) : (
        <Button variant="ghost" onClick={onClose}>
          Fechar
        </Button>
      )}
    </section>
  )
}
