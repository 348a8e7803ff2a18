// What a drag library says of its own accord: nothing. A list says itself what is carried, for pointers and keys alike.

export const SILENT_DRAG = {
  restoreFocus: false,
  screenReaderInstructions: { draggable: '' },
  announcements: {
    onDragStart: () => undefined,
    onDragOver: () => undefined,
    onDragEnd: () => undefined,
    onDragCancel: () => undefined,
  },
}
