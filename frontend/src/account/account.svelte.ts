// Who reads this page: a guest, or somebody who is signed in; asked once, and again after every change.
import * as api from '../wire/api';
import type { Me } from '../wire/types';

export const account = $state({ me: null as Me | null });

/** Takes over what the server says of the reader. */
export function take(me: Me): void {
  account.me = me;
}

/** Asks who the reader is; without an answer nobody is taken for somebody else. */
export async function ask(): Promise<void> {
  try {
    take(await api.me());
  } catch {
    // The next room that needs it asks again.
  }
}
