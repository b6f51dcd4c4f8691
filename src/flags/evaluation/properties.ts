// What is known about a person or a group at the moment of evaluation.
import { isObject } from './values.ts';

export type Properties = Readonly<Record<string, unknown>>;

/** A fact that would be needed was not to be had, so this flag has no answer now. Never leaves the evaluation. */
export class UnknownFact extends Error {}

const UNKNOWN = new UnknownFact('a stored fact is not available');

/** Throws the one `UnknownFact`: during an outage this happens for many flags of every request. */
export function unknownFact(): never {
  throw UNKNOWN;
}

function isEmpty(layer: Properties): boolean {
  for (const _ in layer) return false;
  return true;
}

/** Properties from several sources, of which the first that has a key decides. Nothing is copied. */
export class PropertyLayers {
  readonly #layers: readonly Properties[];
  readonly #isComplete: boolean;

  /** `isComplete` false: there is more to know that could not be read, so a key that is in no layer is unknown. */
  constructor(layers: readonly (Properties | undefined)[], isComplete = true) {
    // Most requests bring nothing along; every property would be looked for in there.
    this.#layers = layers.filter((layer): layer is Properties => isObject(layer) && !isEmpty(layer));
    this.#isComplete = isComplete;
  }

  /** Undefined: the property is not set. Null is a value like any other. */
  get(key: string): unknown {
    for (const layer of this.#layers) if (Object.hasOwn(layer, key)) return layer[key];
    return this.#isComplete ? undefined : unknownFact();
  }
}
