// A confirmation before a serious action. Its button's label is a verb.
import { useState } from 'react'
import { dismissQuestion, type Question, useQuestion } from './ask.ts'
import { Button } from '../primitives/button.tsx'
import { Dialog } from '../primitives/overlay/dialog.tsx'
import { FormActions } from '../forms/form-actions.tsx'

type ConfirmProps = Question & { isOpen: boolean; onClose: () => void }

export function Confirm({ isOpen, onClose, question, consequence, action, cancelLabel }: ConfirmProps) {
  const confirm = () => {
    onClose()
    action.run()
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={question}>
      <div className="flex flex-col gap-4 px-3">
        <p className="leading-body wrap-anywhere text-text-2">{consequence}</p>
        <FormActions onCancel={onClose} cancelLabel={cancelLabel}>
          <Button variant={action.tone ?? 'danger'} onClick={confirm}>
            {action.label}
          </Button>
        </FormActions>
      </div>
    </Dialog>
  )
}

/** Shows the questions of `ask`; rendered once, beside the screens. */
export function Questions() {
  const question = useQuestion()
  // The closing animation still shows this question, so that the text does not vanish at once.
  const [last, setLast] = useState(question)
  if (question && question !== last) setLast(question)
  if (!last) return null
  return <Confirm {...last} isOpen={question !== null} onClose={dismissQuestion} />
}
