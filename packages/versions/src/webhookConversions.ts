// Converts the messages of webhooks and callbacks from a newer contract to an older one.
import type { Contract, MaybePromise } from '@stubwright/contract';
import { BodyConversion, type BodyConversionOptions } from './bodyConversion.ts';
import { ConverterErrors } from './converterErrors.ts';
import { converterWith } from './converterSteps.ts';
import type { VersionConverters, WebhookMessage } from './converters.ts';

export interface WebhookConversionsOptions {
  /** Of the older contract. */
  readonly version: string;
  readonly older: Contract;
  readonly newer: Contract;
  readonly converters: NonNullable<VersionConverters['webhooks']>;
  /** Of the values of the newer contract. */
  readonly values: Pick<BodyConversionOptions, 'validators' | 'components'>;
}

type Convert = (body: unknown) => MaybePromise<WebhookMessage | undefined>;

export class WebhookConversions {
  readonly #options: WebhookConversionsOptions;
  readonly #conversions = new Map<string, Convert>();

  constructor(options: WebhookConversionsOptions) {
    this.#options = options;
  }

  /** One line for each converter that belongs to nothing. */
  get errors(): string[] {
    const { converters, older, newer } = this.#options;
    const isSent = (name: string) => older.outgoing.has(name) && newer.outgoing.has(name);
    return Object.keys(converters)
      .filter((name) => !isSent(name))
      .map((name) => `webhooks.${name}: both contracts need such a webhook`);
  }

  /** @returns undefined for a message that the older contract does not have, or its converter leaves out */
  convert(name: string, body: unknown): MaybePromise<WebhookMessage | undefined> {
    const convert = this.#conversions.get(name) ?? this.#compile(name);
    this.#conversions.set(name, convert);
    return convert(body);
  }

  #compile(name: string): Convert {
    const { version, older, newer, converters, values } = this.#options;
    const declared = newer.outgoing.get(name);
    if (declared === undefined || !older.outgoing.has(name)) return () => undefined;
    const errors = new ConverterErrors(version, `webhook ${name}`);
    const { request, requestSteps } = Object.hasOwn(converters, name) ? converters[name]! : {};
    const own = converterWith<WebhookMessage | undefined>(request, requestSteps);
    const options = { ...values, errors, converter: 'request' };
    const bodies = new BodyConversion(declared.request, options);
    return (body) => {
      const message = { body: bodies.convert(body, undefined) };
      return own ? errors.named('request', () => own(message)) : message;
    };
  }
}
