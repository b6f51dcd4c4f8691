/**
 * Goes on at once with a value that is there, and later with one that has to be waited for. For the few ways that are
 * walked thousands of times a second and hardly ever wait: an `await` would cost each of them its turns.
 */
export function when<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
