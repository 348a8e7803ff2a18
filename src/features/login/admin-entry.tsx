// An administrator's way in: by a link for the first time, by password, and by a code where that is asked. Spec 2.3; BACKEND.md 7.
import { useState } from 'react'
import { AdminFirstAccess } from './admin-first-access.tsx'
import { AdminLogin } from './admin-login.tsx'
import { CodeStep } from './code-step.tsx'

type AdminEntryProps = { link: { username?: string | undefined; invite?: string | undefined } }

export function AdminEntry({ link: { username, invite } }: AdminEntryProps) {
  const [isCodeAsked, setCodeAsked] = useState(false)
  const [reason, setReason] = useState<string | null>(null)
  if (username !== undefined && invite !== undefined)
    return <AdminFirstAccess username={username} invite={invite} />
  if (!isCodeAsked) return <AdminLogin reason={reason} onCodeAsked={() => setCodeAsked(true)} />
  return (
    <CodeStep
      onBack={(why) => {
        setReason(why)
        setCodeAsked(false)
      }}
    />
  )
}
