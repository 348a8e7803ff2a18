// Offers the first test of a new webhook address while its secret is shown. A successful answer turns the address on.
import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useIsOnline } from '#data/connectivity.ts'
import { Button } from '#ui/primitives/button.tsx'
import { testHook } from './data.ts'
import { firstTestText, SEND_TEST } from './texts.ts'

export function FirstTest({ id }: { id: string }) {
  const isOnline = useIsOnline()
  const { mutate, data: tested, error, isPending } = useMutation(testHook(id))
  const hasFailed = error !== null || (tested !== undefined && tested.fault !== null)
  return (
    <>
      <output className={hasFailed ? 'block text-14 text-danger' : 'block text-14 text-success empty:hidden'}>
        {error ? error.message : tested && firstTestText(tested)}
      </output>
      {tested?.fault !== null && (
        <Button
          variant="soft"
          icon={Send}
          disabled={!isOnline}
          busy={isPending && 'Enviando...'}
          onClick={() => mutate(null)}
        >
          {SEND_TEST}
        </Button>
      )}
    </>
  )
}
