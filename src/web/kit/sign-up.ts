/** The fields of a new account or password. */
import { passwordFault } from '../../auth/passwords.ts';
import { defaultDayRule, isZone } from '../../practice/days.ts';
import type { NewPerson } from '../../practice/joining.ts';
import { isUsername } from '../../practice/members.ts';
import { type Html, html } from '../markup.ts';
import type { Visit } from '../request/visits.ts';
import { localizeText, words } from '../words/words.ts';
import { checkbox, type Faults, textField } from './form.ts';
import { zoneField } from './time-zone.ts';

const longestName = 200;

export function usernameIn(form: URLSearchParams): string {
  return (form.get('username') ?? '').trim().normalize('NFC').slice(0, longestName);
}

export function readPassword(form: URLSearchParams, username: string, isTwice = false) {
  const password = form.get('password') ?? '';
  const faults: Record<string, string> = {};
  const fault = passwordFault(password, username);
  if (fault) faults['password'] = localizeText(fault);
  else if (isTwice && password !== form.get('password_again')) faults['password_again'] = words('door.passwordsDiffer');
  return { password, faults };
}

export function readSignUp(form: URLSearchParams): { person: NewPerson; faults: Record<string, string> } {
  const username = usernameIn(form);
  const { password, faults } = readPassword(form, username);
  const zone = readZone(form, faults);
  if (!isUsername(username)) faults['username'] = words('door.nameAdvice');
  return { person: { username, password, zone }, faults };
}

export function readZone(form: URLSearchParams, faults: Record<string, string>): string {
  const zone = (form.get('time_zone') ?? defaultDayRule.zone).trim().slice(0, longestName);
  if (!isZone(zone)) faults['time_zone'] = words('days.noZone');
  return zone;
}

export function ownZoneField({ form }: Visit, faults: Faults, stored?: string): Html {
  const value = form.get('time_zone')?.slice(0, longestName) ?? stored;
  return zoneField({ name: 'time_zone', label: words('days.zone'), hint: words('door.zoneHint'), value }, faults);
}

export function newPassword(faults: Faults, isTwice = false): Html {
  const secret = { type: 'password', autocomplete: 'new-password' } as const;
  return html`
    ${textField(words('door.password'), 'password', faults, { ...secret, hint: words('door.passwordHint') })}
    ${isTwice && textField(words('door.passwordAgain'), 'password_again', faults, secret)}`;
}

export const tokensField = 'revoke_tokens';

export function revokeTokensField(isOn: boolean): Html {
  return checkbox(words('password.revokeTokens'), tokensField, isOn);
}

/** With `showsInput` the fields have the values of the form that was sent. */
export function signUpFields(visit: Visit, faults: Faults, showsInput: boolean, hasFocus = false): Html {
  const { form, proxyIdentity } = visit;
  const name = {
    autocomplete: 'username',
    value: showsInput ? usernameIn(form) : (proxyIdentity?.name ?? ''),
    hint: words('door.nameHint'),
  };
  return html`
    ${textField(words('door.name'), 'username', faults, { ...name, hasFocus })}
    ${newPassword(faults)}
    ${ownZoneField(visit, faults)}`;
}
