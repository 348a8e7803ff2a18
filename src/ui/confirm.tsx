// A question before something that is meant to be sure of; the action is named by its verb. DESIGN-SYSTEM 9.
import { useState } from 'react'
import { dismissQuestion, type Question, useQuestion } from './ask.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { CANCEL } from './texts.ts'

type ConfirmProps = Question & { isOpen: boolean; onClose: () => void }

export function Confirm({ isOpen, onClose, question, consequence, action, cancelLabel }: ConfirmProps) {
  const confirm = () => {
    onClose()
    action.run()
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={question}>
      <p className="px-3 pb-5 leading-body text-text-2">{consequence}</p>
      <div className="grid grid-cols-2 gap-2 px-3">
        <Button variant="line" onClick={onClose}>
          {cancelLabel ?? CANCEL}
        </Button>
        <Button variant={action.tone ?? 'danger'} onClick={confirm}>
          {action.label}
        </Button>
      </div>
    </Dialog>
  )
}

/** Where questions of `ask` show; stands once, beside the screens. */
export function Questions() {
  const question = useQuestion()
  // Kept while it closes, so that its words do not vanish before it does.
  const [last, setLast] = useState(question)
  if (question && question !== last) setLast(question)
  if (!last) return null
  return <Confirm {...last} isOpen={question !== null} onClose={dismissQuestion} />
}
