import { BridgeError } from '../core/errors.ts';

/** Whether an order is the one selected by `--order`, given as reference or id; without the option every order is. */
export function isOrderAsked(order: string, asked: string | undefined): boolean {
  return asked === undefined || order === asked || order === `MedicationRequest/${asked}`;
}

/** The error of a command that found no order to work on. */
export function nothingFor(asked: string | undefined, unread: boolean): BridgeError {
  if (asked === undefined && unread) return new BridgeError('input_unreadable');
  return new BridgeError('order_not_found', asked === undefined ? {} : { order: asked });
}
