// Decides when a press becomes a drag: at once for a moving mouse, after a short hold for a finger.
import { MouseSensor, TouchSensor, useSensor, useSensors } from '@dnd-kit/core'

const MOUSE = { activationConstraint: { distance: 5 } }
const TOUCH = { activationConstraint: { delay: 150, tolerance: 5 } }

export const useDragSensors = () => useSensors(useSensor(MouseSensor, MOUSE), useSensor(TouchSensor, TOUCH))
