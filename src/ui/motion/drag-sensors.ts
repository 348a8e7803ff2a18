// When a press becomes a drag: at once with a mouse that moves, after a short hold with a finger.
import { MouseSensor, TouchSensor, useSensor, useSensors } from '@dnd-kit/core'

const MOUSE = { activationConstraint: { distance: 5 } }
const TOUCH = { activationConstraint: { delay: 150, tolerance: 5 } }

export const useDragSensors = () => useSensors(useSensor(MouseSensor, MOUSE), useSensor(TouchSensor, TOUCH))
