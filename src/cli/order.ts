import { BridgeError } from '../core/errors.ts';

/** Whether `order` is the one given by `--order`, a reference or an id. Without the option, always true. */
export function isOrderAsked(order: string, asked: string | undefined): boolean {
  return asked === undefined || order === asked || order === `MedicationRequest/${asked}`;
}

/** The error of a command that found no order. `unread`: some input could not be read. */
export function nothingFor(asked: string | undefined, unread: boolean): BridgeError {
  if (asked === undefined && unread) return new BridgeError('input_unreadable');
  return new BridgeError('order_not_found', asked === undefined ? {} : { order: asked });
}
