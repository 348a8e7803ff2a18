// An administrator's sign-in: by a one-time link the first time, then by password, with a code if the account has a
// second factor.
import { useState } from 'react'
import { AdminFirstAccess } from './admin-first-access.tsx'
import { AdminLogin } from './admin-login.tsx'
import { CodeStep } from './code-step.tsx'

type AdminEntryProps = { link: { username?: string | undefined; invite?: string | undefined } }

export function AdminEntry({ link: { username, invite } }: AdminEntryProps) {
  const [step, setStep] = useState<'entry' | 'code' | 'password'>('entry')
  const [reason, setReason] = useState<string | null>(null)
  const askCode = () => setStep('code')
  if (step === 'code')
    return (
      <CodeStep
        onBack={(why) => {
          setReason(why)
          // A user who reached the code step has set a password, so the one-time link no longer works.
          setStep('password')
        }}
      />
    )
  if (step === 'entry' && username !== undefined && invite !== undefined)
    return <AdminFirstAccess username={username} invite={invite} onCodeAsked={askCode} />
  return <AdminLogin reason={reason} onCodeAsked={askCode} />
}
